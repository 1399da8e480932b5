package dev.millrace.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.files.FileSource;
import dev.millrace.internal.csv.CsvFormat;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.stats.FileStats;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// CSV files through a session.
class CsvFilesTest {
    @TempDir
    private Path folder;

    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    /// Throws if a byte is held.
    @AfterEach
    void close() {
        session.close();
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void largeFilesAreReadInParts() throws IOException {
        StringBuilder text = new StringBuilder("id,note,price\n");
        for (int i = 0; i < 120_000; i++) {
            text.append(i)
                    .append(i % 10 == 0 ? ",\"two\nlines, \"\"here\"\"\"," : ",plain,")
                    .append(i / 4.0)
                    .append('\n');
        }
        file("a.csv", text.toString());
        Dataset rows = session.read(
                FileSource.of(List.of(folder + "/a.csv"), new CsvFormat(ReadCsv.defaults()), FileReads.defaults()), 9);
        try (var blocks = rows.materialize()) {
            assertThat(blocks.numBlocks()).isGreaterThan(5);
            FileStats read = blocks.lastRun().orElseThrow().read();
            assertThat(read.files()).isEqualTo(1);
            assertThat(read.bytes()).isGreaterThanOrEqualTo(text.length());
            assertThat(blocks.takeAll().stream().map(row -> row.getLong("id")).toList())
                    .isEqualTo(LongStream.range(0, 120_000).boxed().toList());
        }
        assertThat(rows.sum("price")).isEqualTo(120_000.0 * 119_999 / 8);
        assertThat(rows.filter(row -> row.getString("note").equals("two\nlines, \"here\""))
                        .count())
                .isEqualTo(12_000);
        assertThat(rows.select("price").schema().names()).containsExactly("price");
        assertThat(rows.count()).isEqualTo(120_000);
    }

    @Test
    void columnsAreFoundByName() throws IOException {
        file("1.csv", "a,b\n1,x\n");
        file("2.csv", "b,extra,a\ny,?,2\n");
        file("3.csv", "b\nz\n");
        file("4.csv", "");
        assertThat(session.readCsv(folder.toString()).takeAll())
                .containsExactly(
                        Row.of("a", 1L, "b", "x", "extra", null),
                        Row.of("a", 2L, "b", "y", "extra", "?"),
                        Row.of("a", null, "b", "z", "extra", null));
        Row last = session.readCsv(folder + "/2*", ReadCsv.defaults().includePaths())
                .takeAll()
                .getFirst();
        assertThat(last.getString("path")).endsWith("2.csv");
    }

    @Test
    void packedFiles() throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("a.csv.gz")))) {
            out.write("a,b\n".getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 50_000; i++) {
                out.write((i + ",\"x\n" + i + "\"\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThat(session.readCsv(folder.toString()).sum("a")).isEqualTo(50_000L * 49_999 / 2);
        file("bad.csv", "a,b\n1,2\n3\n");
        assertThatThrownBy(() -> session.readCsv(folder + "/bad.csv").takeAll())
                .hasMessageContaining("bad.csv', line 3 (byte 8)");
    }

    @Test
    void aRowWithAnErrorCanBeLeftOut() throws IOException {
        file("1.csv", "a\n1\n2\n");
        file("2.csv", "a\n3\nfour\n");
        Dataset rows = session.readCsv(List.of(folder + "/1.csv", folder + "/2.csv"), ReadCsv.defaults());
        assertThatThrownBy(rows::takeAll)
                .hasMessageContaining("2.csv', line 3 (byte 4): 'four' in column 'a' is no int64");
        assertThat(rows.onReadError(ErrorPolicy.skip()).takeAll()).hasSize(3);
        Dataset nulls = session.readCsv(folder.toString(), ReadCsv.defaults().misfitsAsNull());
        assertThat(nulls.takeAll()).extracting(row -> row.get("a")).containsExactly(1L, 2L, 3L, null);
        Dataset texts = session.readCsv(folder.toString(), ReadCsv.defaults().column("a", DataType.UTF8));
        assertThat(texts.takeAll()).extracting(row -> row.get("a")).containsExactly("1", "2", "3", "four");
    }
}
