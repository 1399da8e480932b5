package dev.millrace.numpy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSource;
import dev.millrace.internal.numpy.NumpyFormat;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.sink.WriteOptions;
import dev.millrace.source.FileReads;
import dev.millrace.testing.Fuzz;
import dev.millrace.testing.Python;
import dev.millrace.testing.Reads;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Arrays that NumPy wrote, beside them the same rows as Arrow; and arrays that NumPy reads.
class NumpyTest {
    @TempDir
    static Path given;

    @TempDir
    Path folder;

    private Session session;

    @BeforeAll
    static void write() {
        Python.environment("formats").run(NumpyTest.class, "arrays.py", "write", given.toString());
    }

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    private static List<String> files(String ending) throws IOException {
        try (Stream<Path> all = Files.list(given)) {
            return all.map(Path::toString)
                    .filter(file -> file.endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    private static String expected(String file) {
        return file.substring(0, file.lastIndexOf('.')) + ".arrow";
    }

    @Test
    void everyTypeAndShapeReadsAsNumpyMeantIt() throws IOException {
        assertThat(files(".npy")).hasSizeGreaterThan(60);
        for (String ending : List.of(".npy", ".npz")) {
            for (String file : files(ending)) {
                Dataset read = session.readNumpy(file);
                Dataset expected = session.readArrow(expected(file));
                assertThat(read.schema()).as(file).isEqualTo(expected.schema());
                List<Row> rows = expected.takeAll();
                assertThat(read.takeAll()).as(file).isEqualTo(rows);
                assertThat(read.count()).isEqualTo(rows.size());
            }
        }
    }

    @Test
    void aLargeArrayIsCutByRows() {
        Dataset rows =
                session.read(FileSource.of(List.of(given + "/large.npy"), new NumpyFormat(), FileReads.defaults()), 5);
        try (var blocks = rows.materialize()) {
            assertThat(blocks.numBlocks()).isGreaterThan(1);
        }
        assertThat(rows.takeAll())
                .isEqualTo(session.readArrow(given + "/large.arrow").takeAll());
    }

    @Test
    void whatHasNoColumnTypeIsADataError() {
        assertThatThrownBy(() -> session.readNumpy(given + "/odd/object.npy"))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("/odd/object.npy', byte 10: arrays of type '|O' have no column type here.")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.DATA);
        assertThatThrownBy(() -> session.readNumpy(given + "/odd/struct.npy"))
                .hasMessageContaining("arrays of type [('x', '<i4'), ('y', '<f8')] have no column type");
        assertThatThrownBy(() -> session.readNumpy(given + "/odd/complex.npy")).hasMessageContaining("'<c16'");
        assertThatThrownBy(() -> session.readNumpy(given + "/odd/uneven.npz").takeAll())
                .hasMessageContaining("its arrays have 3 and 5 rows ('b')");
    }

    @Test
    void aFileThatIsCutOffSaysSo() throws IOException {
        byte[] whole = Files.readAllBytes(given.resolve("f8le-cube.npy"));
        Path half = Files.write(folder.resolve("half.npy"), Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> session.readNumpy(half.toString()))
                .hasMessage(
                        "'" + half + "', byte 128: the file is cut off: an array of shape (50, 4, 5) and type <f8 has"
                                + " 8000 bytes, and 3936 are there.");
        Path none = Files.writeString(folder.resolve("none.npy"), "not an array at all");
        assertThatThrownBy(() -> session.readNumpy(none.toString())).hasMessageContaining("this is no NumPy file");
    }

    @Test
    void filesOfBytesAreRows() throws IOException {
        Path bytes = Files.createDirectory(folder.resolve("bytes"));
        Files.write(bytes.resolve("a.bin"), new byte[] {1, 2, 3});
        Files.write(bytes.resolve("b"), new byte[0]);
        Files.write(bytes.resolve("c.jpg"), new byte[300_000]);
        Dataset rows =
                session.readBinaryFiles(bytes.toString(), FileReads.defaults().includePaths());
        assertThat(rows.schema().names()).containsExactly("bytes", "path");
        List<Row> all = rows.takeAll();
        assertThat(all).hasSize(3);
        assertThat((byte[]) all.getFirst().get("bytes")).containsExactly(1, 2, 3);
        assertThat((byte[]) all.get(1).get("bytes")).isEmpty();
        assertThat((byte[]) all.get(2).get("bytes")).hasSize(300_000);
        assertThat(all.get(1).getString("path")).endsWith("bytes/b");
        assertThat(rows.count()).isEqualTo(3);
    }

    @Test
    void numpyReadsWhatIsWritten() {
        Dataset ids = session.range(1000, 3);
        ids.writeNumpy(folder + "/ids", "id");
        session.rangeTensor(100, 2, 3).writeNumpy(folder + "/tensors", "data");
        ids.map(row -> Row.of("x", row.getLong("id") % 2 == 0 ? null : 1.5)).writeNumpy(folder + "/nulls", "x");
        ids.map(row -> Row.of("x", row.getLong("id") % 2 == 0)).writeNumpy(folder + "/bools", "x");
        ids.map(row -> Row.of("x", List.of(row.getLong("id"), 1L))).writeNumpy(folder + "/lists", "x");
        session.range(3, 1)
                .map(row -> Row.of(
                        "x", row.getLong("id") == 1 ? null : LocalDate.of(2024, 2, 28 + (int) row.getLong("id") / 2)))
                .writeNumpy(folder + "/dates", "x");
        assertThat(Python.environment("formats")
                        .run(NumpyTest.class, "arrays.py", "check", folder.toString())
                        .lines())
                .containsExactly(
                        "bools |b1 (1000,) 500",
                        "dates <M8[D] (3,) [b'2024-02-28', b'NaT', b'2024-02-29']",
                        "ids <i8 (1000,) 499500",
                        "lists <i8 (1000, 2) 500500",
                        "nulls <f8 (1000,) nan",
                        "tensors <i8 (100, 2, 3) 29700");
        assertThat(session.readNumpy(folder + "/ids").takeAll())
                .isEqualTo(ids.rename("id", "data").takeAll());
        assertThat(session.readNumpy(folder + "/tensors").schema().type("data"))
                .isEqualTo(DataType.tensor(DataType.INT64, 2, 3));
        Tensor second =
                (Tensor) session.readNumpy(folder + "/tensors").take(2).get(1).get("data");
        assertThat(second.toLongs()).containsOnly(1L);
    }

    @Test
    void whatNumpyCannotHoldIsRefused() {
        Dataset rows = session.range(10, 1)
                .map(row -> Row.of("text", "t", "n", row.getLong("id") == 7 ? null : row.getLong("id")));
        try (var kept = rows.materialize()) {
            assertThatThrownBy(() -> kept.writeNumpy(folder + "/x", "text"))
                    .hasMessage("writeNumpy: column 'text' is of type utf8, and an .npy file holds numbers, booleans,"
                            + " dates, times, durations, tensors and lists of numbers. Such columns are n.");
            assertThatThrownBy(() -> kept.writeNumpy(folder + "/x", "other"))
                    .hasMessageContaining("writeNumpy: there is no column 'other'");
            assertThatThrownBy(() -> kept.writeNumpy(folder + "/x", "n", WriteOptions.defaults()))
                    .hasMessageContaining("column 'n' of type int64 has nulls, and NumPy has none of this type");
        }
        Dataset uneven =
                session.range(3, 1).map(row -> Row.of("x", List.of(1L, 2L, 3L).subList(0, (int) row.getLong("id"))));
        assertThatThrownBy(() -> uneven.writeNumpy(folder + "/x", "x"))
                .hasMessageContaining("has values of the shapes [0] and [1]");
        assertThat(folder.resolve("x"))
                .satisfiesAnyOf(
                        path -> assertThat(path).doesNotExist(),
                        path -> assertThat(path).isEmptyDirectory());
    }

    @Test
    void damagedFilesEndInRowsOrInADataError(@TempDir Path damaged) throws IOException {
        int read = new Fuzz(Reads.smallFiles(given, ".npy", ".npz"), damaged, ".npy")
                .run(
                        Fuzz.runs(500),
                        (file, allocator) -> Reads.drain(
                                FileSource.of(List.of(file.toString()), new NumpyFormat(), FileReads.defaults()),
                                allocator));
        assertThat(read).isPositive();
    }
}
