package dev.millrace.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.files.FileSink;
import dev.millrace.internal.jsonfile.JsonOutput;
import dev.millrace.source.ReadJson;
import dev.millrace.testing.Python;
import dev.millrace.testing.SinkContract;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JsonSinkTest extends SinkContract {
    @Override
    protected FileSink sink(String target, WriteOptions options) {
        return FileSink.to(target, new JsonOutput(WriteJson.lines()), options);
    }

    @Override
    protected Dataset read(Session from, String target) {
        return from.readJson(target);
    }

    /// Objects show it, and there are none.
    @Override
    protected boolean holdsSchema() {
        return false;
    }

    private static Row row(long i, String text) {
        return Row.of(
                "id",
                i,
                "text",
                text,
                "real",
                i == 3 ? Double.NaN : i == 4 ? -0.0 : i * 0.1,
                "flag",
                i % 2 == 0,
                "list",
                i == 5 ? null : List.of(i, i + 1),
                "struct",
                new TreeMap<>(Map.of("a\"b", i, "c", "x" + i)),
                "day",
                LocalDate.of(2024, 2, 29),
                "at",
                Instant.parse("2024-02-29T01:02:03.5Z"),
                "price",
                new BigDecimal("12.30"),
                "bytes",
                new byte[] {1, 2, (byte) 0xFF});
    }

    @Test
    void valuesOfEveryKindAreWrittenOnceAndPlain() throws IOException {
        session.items(List.of(row(1, "a\"\\\n\t\u0001\u00e4\ud83d\ude00")), 1).writeJson(out());
        assertThat(Files.readString(only())).isEqualTo("""
            {"id":1,"text":"a\\"\\\\\\n\\t\\u0001\u00e4\ud83d\ude00","real":0.1,"flag":false,"list":[1,2],\
            "struct":{"a\\"b":1,"c":"x1"},"day":"2024-02-29","at":"2024-02-29T01:02:03.5Z","price":12.30,\
            "bytes":"AQL/"}
            """);
    }

    private Path only() throws IOException {
        return Path.of(entries().getFirst());
    }

    @Test
    void pythonReadsWhatIsWritten() {
        Random random = new Random(11);
        List<Row> rows = new ArrayList<>();
        StringBuilder hash = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            StringBuilder text = new StringBuilder();
            for (int c = random.nextInt(20); c > 0; c--) {
                text.appendCodePoint(random.nextInt(3) == 0 ? random.nextInt(0x80) : random.nextInt(0xD000));
            }
            hash.append(text.codePoints().sum()).append(' ');
            rows.add(row(i, text.toString()));
        }
        session.items(rows).writeJson(out() + "/lines", WriteOptions.defaults().maxRowsPerFile(120));
        session.items(rows)
                .writeJson(out() + "/arrays", WriteOptions.defaults().maxRowsPerFile(120), WriteJson.arrays());
        String told =
                Python.environment("test").run(JsonSinkTest.class, "read_json.py", out() + "/lines", out() + "/arrays");
        assertThat(told.strip().lines().toList()).hasSize(2).allMatch((hash + "124750 1 1").strip()::equals);
    }

    @Test
    void nullsAreWrittenUnlessLeftOut() throws IOException {
        Dataset rows = session.items(List.of(Row.of("a", null, "b", Double.POSITIVE_INFINITY)), 1);
        rows.writeJson(out());
        assertThat(Files.readString(only())).isEqualTo("{\"a\":null,\"b\":null}\n");
        rows.writeJson(
                out(),
                WriteOptions.defaults().overwrite(),
                WriteJson.lines().leaveOutNulls().nameFloats());
        assertThat(Files.readString(only())).isEqualTo("{\"b\":Infinity}\n");
        rows.writeJson(out(), WriteOptions.defaults().overwrite(), WriteJson.arrays());
        assertThat(Files.readString(only())).isEqualTo("[{\"a\":null,\"b\":null}]\n");
    }

    @Test
    void whatIsWrittenReadsAsItWas() {
        List<Row> rows = new ArrayList<>();
        for (long i = 0; i < 300; i++) {
            rows.add(Row.of("id", i, "text", "t" + i, "real", i / 7.0, "list", List.of(i), "flag", i % 3 == 0));
        }
        session.items(rows).writeJson(out());
        assertThat(session.readJson(out()).takeAll())
                .isEqualTo(session.items(rows).takeAll());
        assertThat(session.readJson(out(), ReadJson.defaults().column("id", DataType.FLOAT32))
                        .select("id")
                        .take(2)
                        .getLast()
                        .get("id"))
                .isEqualTo(1f);
    }

    @Test
    void textIsWrittenLineByLine() throws IOException {
        session.items(
                        List.of(
                                Row.of("n", 1, "t", "one"),
                                Row.of("n", 2, "t", null),
                                Row.of("n", 3, "t", "thr\u00e4")),
                        1)
                .writeText(out(), "t");
        assertThat(Files.readString(only())).isEqualTo("one\n\nthr\u00e4\n");
        assertThat(session.readText(out()).takeAll().stream().map(row -> row.get("text")))
                .containsExactly("one", "thr\u00e4");
        assertThatThrownBy(() -> session.items(List.of(Row.of("t", "a\nb"))).writeText(out(), "t"))
                .hasMessageContaining("Column 't' holds a line end in row 0 of a chunk, and a text file cannot.");
        assertThatThrownBy(() -> session.range(3).writeText(out(), "missing")).hasMessageContaining("missing");
    }
}
