package dev.millrace.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.files.FileSource;
import dev.millrace.internal.jsonfile.JsonFormat;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Objects that cannot become rows, under a policy: each is left out or kept by itself, and those around it are read.
class JsonBrokenLinesTest {
    private static final Schema TYPES = Schema.of("id", DataType.INT64, "tags", DataType.list(DataType.UTF8));

    @TempDir
    private Path folder;

    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    /// Throws if a byte is held.
    @AfterEach
    void close() {
        session.close();
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static List<Long> ids(Dataset rows) {
        return rows.takeAll().stream().map(row -> row.getLong("id")).toList();
    }

    private List<String> letters(Dataset kept) {
        return kept.filter(_ -> true).deadLetters().takeAll().stream()
                .map(row -> row.getString("message"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\": 3",
                "{\"id\": 3, \"tags\": [\"a\", \"b\"",
                "{\"id\": 3, \"tags\": [\"a",
                "{\"id\": \"three\"}",
                "{\"id\": 3, \"tags\": {}}",
                "{\"id\": 3, \"id\": 4}",
                "{\"id\": 3} {\"id\": 4",
                "[3]",
                "three",
                "}{",
                "\"",
                "{\"id\": 3, \"other\": {\"x\": [1"
            })
    void aBrokenLineCostsThatLine(String broken) throws IOException {
        String path = file(
                "a.jsonl", "{\"id\": 1}\n{\"id\": 2, \"tags\": [\"x\"]}\n" + broken + "\n{\"id\": 5}\n{\"id\": 6}\n");
        for (ReadJson options : List.of(ReadJson.defaults().lines(), ReadJson.defaults())) {
            Dataset rows = session.readJson(path, options.schema(TYPES)).onReadError(ErrorPolicy.deadLetter("lines"));
            assertThat(ids(rows).stream().filter(id -> id != 3)).containsExactly(1L, 2L, 5L, 6L);
            assertThat(letters(rows)).singleElement().asString().contains("a.jsonl', line ");
            assertThatThrownBy(
                            () -> session.readJson(path, options.schema(TYPES)).takeAll())
                    .hasMessageContaining("a.jsonl', line ");
        }
    }

    @Test
    void theTypesOfASampleComeFromItsGoodLines() throws IOException {
        String path = file("a.jsonl", "{\"id\": 1\n{\"id\": 2}\n{\"id\": }\n{\"id\": 3}\n");
        Dataset rows = session.readJson(path, ReadJson.defaults().lines());
        assertThat(rows.schema()).isEqualTo(Schema.of("id", DataType.INT64));
        assertThat(ids(rows.onReadError(ErrorPolicy.skip()))).containsExactly(2L, 3L);
        assertThatThrownBy(() -> ids(rows)).hasMessageContaining("a.jsonl', line ");
        String none = file("b.jsonl", "{\"id\": 1\n{\"id\"\n");
        assertThatThrownBy(() -> session.readJson(none)).hasMessageContaining("b.jsonl', line ");
    }

    @Test
    void eachBrokenLineIsADeadLetterWithItsNumber() throws IOException {
        StringBuilder text = new StringBuilder();
        List<Long> good = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (long i = 0; i < 60_000; i++) {
            if (i % 1000 == 999) {
                text.append("{\"id\": ").append(i % 2000 == 999 ? "\"none\"}\n" : "\n");
                lines.add("line " + (i + 1) + ",");
            } else {
                text.append("{\"id\": ").append(i).append(", \"tags\": [\"red\"]}\n");
                good.add(i);
            }
        }
        file("a.json", text.toString());
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("b.json.gz")))) {
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
        for (String name : List.of("a.json", "b.json.gz")) {
            Dataset kept = session.readJson(
                            folder + "/" + name, ReadJson.defaults().lines().schema(TYPES))
                    .onReadError(ErrorPolicy.deadLetter("lines"))
                    .filter(_ -> true);
            assertThat(ids(kept)).isEqualTo(good);
            List<Row> letters = kept.deadLetters().takeAll();
            assertThat(letters)
                    .hasSize(60)
                    .allSatisfy(row -> assertThat(row.getString("origin")).contains(name));
            for (int i = 0; i < lines.size(); i += 2) {
                String line = lines.get(i);
                assertThat(letters)
                        .filteredOn(row -> row.getString("message").contains(name + "', " + line))
                        .hasSize(1);
            }
            assertThat(kept.stats().toString()).contains("60");
        }
    }

    @Test
    void partsOfALargeFileLeaveOutTheirOwnLines() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 200_000; i++) {
            text.append("{\"id\": ").append(i % 777 == 5 ? "x" : i).append(i % 777 == 6 ? "\n" : "}\n");
        }
        Dataset rows = session.read(
                        FileSource.of(
                                List.of(file("a.json", text.toString())),
                                new JsonFormat(ReadJson.defaults().lines()),
                                FileReads.defaults()),
                        5)
                .onReadError(ErrorPolicy.skip());
        assertThat(ids(rows))
                .isEqualTo(LongStream.range(0, 200_000)
                        .filter(i -> i % 777 != 5 && i % 777 != 6)
                        .boxed()
                        .toList());
        assertThat(rows.stats().toString()).contains("skipped");
    }

    /// Nothing but broken lines: their errors must not pile up, nor be counted from the begin of the file each time.
    @Test
    void aFileOfBrokenLinesEndsSoon() throws IOException {
        String path = file("a.jsonl", "{\"id\": 1}\n" + "{\"id\": \n".repeat(60_000));
        Dataset rows = session.readJson(path, ReadJson.defaults().lines()).onReadError(ErrorPolicy.skip());
        assertThat(ids(rows)).containsExactly(1L);
    }

    @Test
    void anObjectOfTheWrongTypeCostsItselfInAnArrayToo() throws IOException {
        String path = file(
                "a.json",
                "[{\"id\": 1},\n {\"id\": \"two\", \"tags\": [\"}\"]},\n {\"id\": 3}, {\"id\": tru}, {\"id\": 5}]");
        Dataset rows =
                session.readJson(path, ReadJson.defaults().schema(TYPES)).onReadError(ErrorPolicy.deadLetter("lost"));
        assertThat(ids(rows)).containsExactly(1L, 3L, 5L);
        assertThat(letters(rows)).hasSize(2).first().asString().contains("a.json', line 2", "'id'");
    }

    @Test
    void whereNobodyKnowsTheNextObjectTheRestOfTheFileIsLost() throws IOException {
        file("a.json", "[{\"id\": 1}, {\"id\": 2}, {\"id\": [3}, {\"id\": 4}]");
        file("b.json", "[{\"id\": 5}]");
        Dataset rows = session.readJson(folder.toString()).onReadError(ErrorPolicy.deadLetter("lost"));
        assertThat(ids(rows)).containsExactly(1L, 2L, 5L);
        assertThat(letters(rows)).singleElement().asString().contains("a.json', line 1");
    }

    @Test
    void objectsOverSeveralLinesAreFoundAgain() throws IOException {
        String path = file("a.json", "{\n  \"id\": 1\n}\n{\n  \"id\": tru\n}\n{\n  \"id\": 3\n}\n");
        Dataset rows = session.readJson(path).onReadError(ErrorPolicy.skip());
        assertThat(ids(rows)).containsExactly(1L, 3L);
    }

    @Test
    void rowsBeforeTheEndOfACompressedFileThatIsCutAreRead() throws IOException {
        Path path = folder.resolve("a.jsonl.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(path))) {
            for (int i = 0; i < 100_000; i++) {
                out.write(("{\"id\": " + i + "}\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        byte[] all = Files.readAllBytes(path);
        Files.write(path, Arrays.copyOf(all, all.length / 2));
        List<Long> found = ids(session.readJson(path.toString()).onReadError(ErrorPolicy.skip()));
        assertThat(found).hasSizeGreaterThan(20_000);
        assertThat(found).isEqualTo(LongStream.range(0, found.size()).boxed().toList());
    }

    /// Nothing of it can be read, so there is nothing to go on with.
    @Test
    void aFileThatIsNotCompressedAsItsNameSaysIsLeftOutAsAWhole() throws IOException {
        file("a.jsonl", "{\"id\": 1}\n");
        file("b.jsonl.gz", "{\"id\": 2}\n");
        Dataset rows = session.readJson(folder.toString(), ReadJson.defaults().schema(TYPES));
        assertThat(ids(rows.onReadError(ErrorPolicy.skip()))).containsExactly(1L);
        assertThat(session.readText(folder.toString())
                        .onReadError(ErrorPolicy.skip())
                        .count())
                .isEqualTo(1);
    }
}
