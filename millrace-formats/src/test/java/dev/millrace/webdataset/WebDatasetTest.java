package dev.millrace.webdataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSource;
import dev.millrace.internal.webdataset.WebDatasetFormat;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadWebDataset;
import dev.millrace.testing.Fuzz;
import dev.millrace.testing.Python;
import dev.millrace.testing.Reads;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.TimeUnit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Archives that Python's tarfile and webdataset wrote, and ours that they read.
class WebDatasetTest {
    private static final String LONG = "d".repeat(120) + "/" + "e".repeat(90);

    @TempDir
    static Path given;

    @TempDir
    Path folder;

    private Session session;

    @BeforeAll
    static void write() {
        Python.environment("formats").run(WebDatasetTest.class, "shards.py", "write", given.toString());
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
    void samplesAreRowsAndExtensionsColumns() {
        Dataset rows = session.readWebDataset(given + "/wds.tar");
        assertThat(rows.schema().fields())
                .containsExactlyInAnyOrder(
                        new Field("__key__", DataType.UTF8),
                        new Field("jpg", DataType.BINARY),
                        new Field("cls", DataType.INT64),
                        new Field("txt", DataType.UTF8),
                        new Field(
                                "json",
                                DataType.struct(
                                        new Field("a", DataType.INT64), new Field("b", DataType.list(DataType.INT64)))),
                        new Field("npy", DataType.tensor(DataType.FLOAT32, 2, 3)),
                        new Field("seg.png", DataType.BINARY));
        List<Row> all = rows.takeAll();
        assertThat(all).hasSize(100);
        for (int i = 0; i < 100; i++) {
            Row row = all.get(i);
            assertThat(row.getString("__key__")).isEqualTo("train/%05d".formatted(i));
            assertThat((byte[]) row.get("jpg")).hasSize(i).containsOnly(i == 0 ? new byte[0] : new byte[] {(byte) i});
            assertThat(row.getLong("cls")).isEqualTo(i % 10);
            assertThat(row.getString("txt")).isEqualTo("größe " + i);
            assertThat(row.get("json")).isEqualTo(Map.of("a", (long) i, "b", List.of(1L, 2L)));
            assertThat(((Tensor) row.get("npy")).toFloats()).containsOnly(i).hasSize(6);
        }
        assertThat(rows.count()).isEqualTo(100);
        assertThat(rows.select("cls").take(12).getLast()).isEqualTo(Row.of("cls", 1L));
    }

    @Test
    void onlyTheWantedMembersAreRead() {
        Dataset some = session.readWebDataset(
                given + "/wds.tar", ReadWebDataset.extensions("cls", "none").raw());
        assertThat(some.schema().names()).containsExactly("__key__", "cls", "none");
        Row last = some.takeAll().getLast();
        assertThat((byte[]) last.get("cls")).containsExactly('9');
        assertThat(last.get("none")).isNull();
        assertThat(session.readWebDataset(
                                given + "/wds.tar",
                                ReadWebDataset.extensions("cls").type("cls", DataType.FLOAT64))
                        .take(2)
                        .getLast()
                        .get("cls"))
                .isEqualTo(1.0);
    }

    @Test
    void jsonMembersAreTheValuesThatTheyAre() {
        Dataset rows = session.readWebDataset(given + "/values.tar");
        assertThat(rows.schema().fields())
                .contains(
                        new Field("word.json", DataType.UTF8),
                        new Field("index", DataType.INT64),
                        new Field(
                                "json",
                                DataType.struct(
                                        new Field("a", DataType.FLOAT64),
                                        new Field("when", DataType.timestamp(TimeUnit.SECOND)),
                                        new Field("more", DataType.struct(new Field("x", DataType.INT64))))));
        List<Row> all = rows.takeAll();
        assertThat(all).hasSize(3);
        assertThat(all.get(1).get("word.json")).isEqualTo("größe \"1\"");
        assertThat(all.get(1).getLong("index")).isEqualTo(1);
        assertThat(((Map<?, ?>) all.get(0).get("json")).get("a")).isEqualTo(1.0);
        assertThat(((Map<?, ?>) all.get(1).get("json")).get("more")).isEqualTo(Map.of("x", 7L));
        assertThat(all.get(2).get("json")).isNull();
    }

    @Test
    void jsonMembersCanStayTextOrHaveAGivenType() {
        ReadWebDataset text = ReadWebDataset.extensions("json", "word.json")
                .type("json", DataType.UTF8)
                .type("word.json", DataType.UTF8);
        assertThat(session.readWebDataset(given + "/values.tar", text).takeAll())
                .extracting(row -> row.get("word.json"))
                .contains("\"größe \\\"1\\\"\"");
        assertThat(session.readWebDataset(given + "/values.tar", text)
                        .take(1)
                        .getFirst()
                        .get("json"))
                .isEqualTo(" {\"a\": 1} ");
        ReadWebDataset given1 = ReadWebDataset.extensions("json")
                .type("json", DataType.struct(new Field("a", DataType.UTF8), new Field("none", DataType.BOOL)));
        Map<String, Object> expected = new HashMap<>();
        expected.put("a", "1");
        expected.put("none", null);
        assertThat(session.readWebDataset(given + "/values.tar", given1)
                        .take(1)
                        .getFirst()
                        .get("json"))
                .isEqualTo(expected);
        assertThat(session.readWebDataset(
                                given + "/values.tar", ReadWebDataset.defaults().raw())
                        .schema()
                        .type("json"))
                .isEqualTo(DataType.BINARY);
        for (String name : List.of("clash", "broken")) {
            assertThatThrownBy(() ->
                            session.readWebDataset(given + "/" + name + ".tar").takeAll())
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining(name + ".tar', byte 1536: 'b.json' cannot be read as JSON: ")
                    .hasMessageContaining("Keep it as text: ReadWebDataset.defaults().type(\"json\", DataType.UTF8)")
                    .extracting(e -> ((MillraceException) e).culprit())
                    .isEqualTo(Culprit.DATA);
        }
    }

    @Test
    void structsComeBackFromJsonMembers() {
        Dataset rows = session.readWebDataset(given + "/wds.tar", ReadWebDataset.extensions("json"));
        rows.writeWebDataset(folder + "/json");
        assertThat(session.readWebDataset(folder + "/json").select("json").takeAll())
                .isEqualTo(rows.select("json").takeAll());
    }

    @Test
    void headersOfAllKinds() {
        for (String kind : List.of("ustar", "gnu", "pax")) {
            List<Row> rows = session.readWebDataset(given + "/" + kind + ".tar").takeAll();
            assertThat(rows.stream().map(row -> row.getString("__key__")))
                    .as(kind)
                    .containsExactlyElementsOf(
                            kind.equals("ustar")
                                    ? List.of("things/a", LONG, "things/b", "big")
                                    : List.of("things/a", LONG, "things/b", "x".repeat(300), "ключ"));
            assertThat(rows.stream().map(row -> row.get("txt")).toList().subList(0, 3))
                    .containsExactly("first", "long", "");
            assertThat((byte[]) rows.getFirst().get("bin")).hasSize(1000);
            if (kind.equals("ustar")) {
                assertThat((byte[]) rows.getLast().get("bin")).hasSize(3_000_000);
            }
        }
    }

    @Test
    void arraysOfSeveralShapes() {
        Dataset rows = session.readWebDataset(
                given + "/shapes.tar", ReadWebDataset.defaults().type("cls", DataType.UTF8));
        assertThat(rows.schema().type("npy")).isEqualTo(DataType.variableTensor(DataType.INT64, 2));
        assertThat(rows.schema().type("one.npy")).isEqualTo(DataType.FLOAT64);
        List<Row> all = rows.takeAll();
        assertThat(((Tensor) all.get(2).get("npy")).shape()).containsExactly(3, 6);
        assertThat(((Tensor) all.get(2).get("npy")).toLongs()[7]).isEqualTo(7);
        assertThat(all.get(1).get("one.npy")).isEqualTo(0.5);
        assertThatThrownBy(() -> session.readWebDataset(given + "/shapes.tar").takeAll())
                .hasMessageContaining("'2.cls' is 'cat', and its column is of type int64. Give another:"
                        + " ReadWebDataset.defaults().type(\"cls\", DataType...).");
    }

    @Test
    void chunksEndBetweenSamples() {
        List<Row> rows = session.readWebDataset(given + "/many.tar").takeAll();
        assertThat(rows).hasSize(3000);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i).getLong("cls")).isEqualTo(i);
            assertThat((byte[]) rows.get(i).get("bin")).hasSize(600);
        }
    }

    @Test
    void damageIsADataErrorWithItsPlace() throws IOException {
        byte[] whole = Files.readAllBytes(given.resolve("wds.tar"));
        for (int cut : List.of(100, 512 + 5, 1024 * 20 + 600)) {
            Path half = Files.write(folder.resolve("half.tar"), Arrays.copyOf(whole, cut));
            assertThatThrownBy(() -> session.readWebDataset(half.toString()).takeAll())
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining(half + "', byte ")
                    .hasMessageContaining("the file ends in the middle of ")
                    .extracting(e -> ((MillraceException) e).culprit())
                    .isEqualTo(Culprit.DATA);
        }
        Path border = Files.write(folder.resolve("border.tar"), Arrays.copyOf(whole, 1024));
        assertThatThrownBy(() -> session.readWebDataset(border.toString()).takeAll())
                .hasMessageContaining("byte 1024: the archive is cut off");
        whole[512 * 2 + 3] ^= 1;
        Path broken = Files.write(folder.resolve("broken.tar"), whole);
        assertThatThrownBy(() -> session.readWebDataset(broken.toString()).takeAll())
                .hasMessageContaining("byte 1024: the checksum of a header is wrong");
        assertThatThrownBy(() -> session.readWebDataset(given + "/empty.tar").takeAll())
                .hasMessageContaining("this is no tar archive: the file is empty");
        assertThatThrownBy(() -> session.readWebDataset(given + "/twice.tar").takeAll())
                .hasMessageContaining("there are two members 'a.txt' in one sample");
        assertThatThrownBy(() -> session.readWebDataset(given + "/latin.tar").takeAll())
                .hasMessageContaining("byte 512: 'a.txt' is no UTF-8 text. Read it as bytes:");
    }

    @Test
    void webdatasetReadsWhatIsWritten() {
        session.range(3, 1)
                .map(row -> Row.of(
                        "__key__",
                        "dir/größe" + "x".repeat(100) + row.getLong("id"),
                        "cls",
                        row.getLong("id"),
                        "txt",
                        row.getLong("id") == 1 ? null : "text",
                        "bin",
                        new byte[(int) row.getLong("id") * 1000]))
                .drop("bin")
                .writeWebDataset(folder + "/keyed");
        session.rangeTensor(2, 2, 2).rename("data", "npy").writeWebDataset(folder + "/tensors");
        String told = Python.environment("formats").run(WebDatasetTest.class, "shards.py", "check", folder.toString());
        String key = "keyed dir/größe" + "x".repeat(100);
        assertThat(told.lines())
                .containsExactly(
                        key + "0 cls=0 txt='text'",
                        key + "1 cls=1",
                        key + "2 cls=2 txt='text'",
                        "tensors  npy=[[0, 0], [0, 0]]",
                        "tensors  npy=[[1, 1], [1, 1]]");
        assertThat(session.readWebDataset(folder + "/keyed").takeAll().get(1).get("txt"))
                .isNull();
    }

    @Test
    void keysThatLeadOutOfTheFolderOfWhoeverUnpacksAreRefused() {
        for (String key :
                List.of("../../x", "/etc/x", "a/../x", "./x", "a//x", "a\0x", "C:x", "c:/x", "a\\x", "a\nx")) {
            assertThatThrownBy(() -> session.items(List.of(Row.of("__key__", key, "txt", "x")))
                            .writeWebDataset(folder + "/x"))
                    .as(key)
                    .hasMessageContaining("'" + key + "' is no key of a sample.")
                    .hasMessageContaining("would write outside of his folder");
        }
        for (String extension : List.of("..\\txt", "t\0xt")) {
            assertThatThrownBy(() -> session.range(1).rename("id", extension).writeWebDataset(folder + "/x"))
                    .hasMessageContaining("is none. Rename it.");
        }
        session.items(List.of(Row.of("__key__", "a/b-c", "txt", "x"))).writeWebDataset(folder + "/fine");
        assertThat(session.readWebDataset(folder + "/fine").takeAll().getFirst().get("__key__"))
                .isEqualTo("a/b-c");
    }

    @Test
    void whatASampleCannotHoldIsRefused() {
        assertThatThrownBy(() -> session.rangeTensor(2, 2).writeWebDataset(folder + "/x"))
                .hasMessageContaining("writeWebDataset: column 'data' is of type tensor<int64, 2>.");
        assertThatThrownBy(() -> session.range(2).rename("id", "a/b").writeWebDataset(folder + "/x"))
                .hasMessageContaining("'a/b' is none. Rename it.");
        Dataset dotted = session.items(List.of(Row.of("__key__", "a.b", "txt", "x")));
        assertThatThrownBy(() -> dotted.writeWebDataset(folder + "/x"))
                .hasMessageContaining("'a.b' is no key of a sample");
        Dataset same =
                session.items(List.of(Row.of("__key__", "a", "txt", "x"), Row.of("__key__", "a", "txt", "y")), 1);
        assertThatThrownBy(() -> same.writeWebDataset(folder + "/x")).hasMessageContaining("have the key 'a'");
        Dataset bytes = session.items(List.of(Row.of("__key__", "a", "jpg", "x".getBytes(StandardCharsets.UTF_8))));
        bytes.writeWebDataset(folder + "/y");
        assertThat(session.readWebDataset(folder + "/y").takeAll()).hasSize(1);
    }

    @Test
    void damagedFilesEndInRowsOrInADataError(@TempDir Path damaged) throws IOException {
        int read = new Fuzz(Reads.smallFiles(given, ".tar"), damaged, ".tar")
                .run(
                        Fuzz.runs(500),
                        (file, allocator) -> Reads.drain(
                                FileSource.of(
                                        List.of(file.toString()),
                                        new WebDatasetFormat(ReadWebDataset.defaults()),
                                        FileReads.defaults()),
                                allocator));
        assertThat(read).isPositive();
    }
}
