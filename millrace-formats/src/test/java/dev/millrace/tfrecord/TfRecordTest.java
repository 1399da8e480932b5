package dev.millrace.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSource;
import dev.millrace.internal.tfrecord.TfRecordFormat;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteOptions;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadTfRecords;
import dev.millrace.testing.Fuzz;
import dev.millrace.testing.Python;
import dev.millrace.testing.Reads;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Examples that Google's protobuf wrote, and ours that it reads.
class TfRecordTest {
    @TempDir
    static Path given;

    @TempDir
    Path folder;

    private Session session;

    @BeforeAll
    static void write() {
        Python.environment("formats").run(TfRecordTest.class, "records.py", "write", given.toString());
    }

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void examplesBecomeColumns() {
        Dataset rows = session.readTfRecords(
                given + "/plain.tfrecords", ReadTfRecords.defaults().type("name", DataType.UTF8));
        assertThat(rows.schema().fields())
                .containsExactlyInAnyOrder(
                        new Field("id", DataType.INT64),
                        new Field("negative", DataType.INT64),
                        new Field("score", DataType.FLOAT32),
                        new Field("name", DataType.UTF8),
                        new Field("list", DataType.list(DataType.INT64)),
                        new Field("reals", DataType.list(DataType.FLOAT32)),
                        new Field("parts", DataType.list(DataType.BINARY)));
        List<Row> all = rows.takeAll();
        assertThat(all).hasSize(5000);
        for (int i = 0; i < all.size(); i++) {
            Row row = all.get(i);
            assertThat(row.getLong("id")).isEqualTo(i);
            assertThat(row.getLong("negative")).isEqualTo(-i);
            assertThat(row.get("score")).isEqualTo(i / 4f);
            assertThat(row.getString("name")).isEqualTo("näme " + i);
            assertThat(row.get("list"))
                    .isEqualTo(LongStream.range(0, i % 4).boxed().toList());
            assertThat(row.get("reals")).isEqualTo(Collections.nCopies(i % 3, 0.5f));
            assertThat((List<?>) row.get("parts")).hasSize(i % 3);
        }
        assertThat(rows.count()).isEqualTo(5000);
        assertThat(rows.select("score").take(3).getLast()).isEqualTo(Row.of("score", 0.5f));
    }

    @Test
    void featuresThatAreNotThereAreNull() {
        Dataset rows = session.readTfRecords(given + "/sparse.tfrecord");
        assertThat(rows.schema().fields())
                .containsExactlyInAnyOrder(new Field("even", DataType.INT64), new Field("nothing", DataType.NULL));
        assertThat(rows.takeAll().stream().map(row -> row.get("even")))
                .containsExactly(0L, null, 2L, null, 4L, null, 6L, null, 8L, null);
        assertThat(session.readTfRecords(given + "/odd.tfrecord").takeAll())
                .containsExactly(Row.of("even", List.of(7L, 9L)));
    }

    @Test
    void recordsOfOtherMessagesAreBytes() {
        assertThat(session.readTfRecords(given + "/other.raw", ReadTfRecords.raw()).takeAll().stream()
                        .map(row -> ((byte[]) row.get("bytes")).length))
                .containsExactly(0, 100_000, 200_000);
        assertThatThrownBy(() -> session.readTfRecords(given + "/other.raw"))
                .hasMessageContaining("/other.raw', byte 38: record 1 is no tf.train.Example: ")
                .hasMessageEndingWith("Read records of other messages with ReadTfRecords.raw().");
    }

    @Test
    void aColumnThatTurnsOutToBeAListSaysWhatToDo() {
        assertThatThrownBy(() -> session.readTfRecords(given + "/late.tfrecord").takeAll())
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining(
                        "in record 1100, feature 'n' has 2 values, and its column is of type int64. Give its"
                                + " type: ReadTfRecords.defaults().type(\"n\", DataType...).")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.DATA);
        assertThat(session.readTfRecords(
                                given + "/late.tfrecord",
                                ReadTfRecords.defaults().type("n", DataType.list(DataType.INT64)))
                        .takeAll())
                .hasSize(1200)
                .last()
                .isEqualTo(Row.of("n", List.of(1L, 2L)));
        assertThatThrownBy(() -> session.readTfRecords(
                        given + "/late.tfrecord", ReadTfRecords.defaults().type("n", DataType.DATE)))
                .hasMessageContaining("'n' cannot be of type date");
    }

    @Test
    void damageIsADataErrorWithItsPlace() throws IOException {
        byte[] whole = Files.readAllBytes(given.resolve("sparse.tfrecord"));
        byte[] changed = whole.clone();
        changed[whole.length - 6] ^= 1;
        Path broken = Files.write(folder.resolve("broken.tfrecord"), changed);
        assertThatThrownBy(() -> session.readTfRecords(broken.toString()).takeAll())
                .hasMessageContaining("broken.tfrecord', byte ")
                .hasMessageContaining("the checksum of record 9 is wrong");
        Path cut = Files.write(folder.resolve("cut.tfrecord"), Arrays.copyOf(whole, whole.length - 3));
        assertThatThrownBy(() -> session.readTfRecords(cut.toString()).takeAll())
                .hasMessageContaining("the file ends in the middle of record 9");
        Path other = Files.writeString(folder.resolve("other.tfrecord"), "something else entirely");
        assertThatThrownBy(() -> session.readTfRecords(other.toString()).takeAll())
                .hasMessageContaining("byte 0: this is no TFRecord file");
    }

    @Test
    void protobufReadsWhatIsWritten() {
        session.range(3, 1)
                .map(row -> Row.of(
                        "id",
                        row.getLong("id") - 1,
                        "flag",
                        row.getLong("id") == 1,
                        "half",
                        0.5 * row.getLong("id"),
                        "text",
                        row.getLong("id") == 1 ? null : "t" + row.getLong("id"),
                        "list",
                        List.of(1L, 300L).subList(0, (int) row.getLong("id"))))
                .writeTfRecords(folder + "/rows");
        session.rangeTensor(2, 2, 2).writeTfRecords(folder + "/tensors");
        session.items(List.of(Row.of("b", "one".getBytes(StandardCharsets.UTF_8)), Row.of("b", new byte[0])))
                .writeTfRecords(folder + "/raw", WriteOptions.defaults(), "b");
        assertThat(Python.environment("formats")
                        .run(TfRecordTest.class, "records.py", "check", folder.toString())
                        .lines())
                .containsExactly(
                        "raw b'one'",
                        "raw b''",
                        "rows flag=[0]; half=[0.0]; id=[-1]; list=[]; text=[b't0']",
                        "rows flag=[1]; half=[0.5]; id=[0]; list=[1]; text=None",
                        "rows flag=[0]; half=[1.0]; id=[1]; list=[1, 300]; text=[b't2']",
                        "tensors data=[0, 0, 0, 0]",
                        "tensors data=[1, 1, 1, 1]");
        assertThat(session.readTfRecords(folder + "/rows").takeAll().get(2).get("list"))
                .isEqualTo(List.of(1L, 300L));
    }

    @Test
    void whatAFeatureCannotHoldIsRefused() {
        Dataset dates = session.range(2).map(row -> Row.of("day", LocalDate.EPOCH));
        assertThatThrownBy(() -> dates.writeTfRecords(folder + "/x"))
                .hasMessageContaining("writeTfRecords: column 'day' is of type date, and a feature holds numbers");
        assertThatThrownBy(() -> session.range(2).writeTfRecords(folder + "/x", WriteOptions.defaults(), "id"))
                .hasMessageContaining("records are written from a column of bytes, and 'id' is of type int64");
    }

    @Test
    void damagedFilesEndInRowsOrInADataError(@TempDir Path damaged) throws IOException {
        // Records have checksums: hardly any can be read.
        new Fuzz(Reads.smallFiles(given, ".tfrecord", ".tfrecords"), damaged, ".tfrecord")
                .run(
                        Fuzz.runs(500),
                        (file, allocator) -> Reads.drain(
                                FileSource.of(
                                        List.of(file.toString()),
                                        new TfRecordFormat(ReadTfRecords.defaults()),
                                        FileReads.defaults()),
                                allocator));
    }
}
