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
import dev.millrace.type.DataType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Records that cannot become rows, under a policy: each is left out or kept by itself, and those around it are read.
class CsvBrokenRowsTest {
    private static final ReadCsv TYPES =
            ReadCsv.defaults().column("id", DataType.INT64).column("price", DataType.FLOAT64);

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

    @Test
    void theRowsAroundABrokenOneAreRead() throws IOException {
        String path = file("a.csv", "id,note,price\n1,a,1.5\n2,b\n3,c,x\n4,d,2.5\n5,e,6,7\nsix,f,y\n7,g,3.5\n");
        Dataset kept = session.readCsv(path, TYPES).onReadError(ErrorPolicy.deadLetter("rows"));
        assertThatThrownBy(() -> session.readCsv(path).takeAll()).hasMessageContaining("a.csv', line 3 (byte 22)");
        assertThat(ids(kept)).containsExactly(1L, 4L, 7L);
    }

    @Test
    void eachBrokenRowIsADeadLetterWithItsLine() throws IOException {
        StringBuilder text = new StringBuilder("id,price\n");
        List<Long> good = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (long i = 0; i < 30_000; i++) {
            if (i % 1000 == 999) {
                text.append(i).append(i % 2000 == 999 ? ",none\n" : "\n");
                lines.add("line " + (i + 2) + " ");
            } else {
                text.append(i).append(",\"0.5\"\n");
                good.add(i);
            }
        }
        file("a.csv", text.toString());
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("b.csv.gz")))) {
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
        for (String name : List.of("a.csv", "b.csv.gz")) {
            Dataset kept = session.readCsv(folder + "/" + name, TYPES)
                    .onReadError(ErrorPolicy.deadLetter("rows"))
                    .filter(_ -> true);
            assertThat(ids(kept)).isEqualTo(good);
            List<Row> letters = kept.deadLetters().takeAll();
            assertThat(letters)
                    .hasSize(30)
                    .allSatisfy(row -> assertThat(row.getString("origin")).contains(name));
            for (String line : lines) {
                assertThat(letters)
                        .filteredOn(row -> row.getString("message").contains(name + "', " + line))
                        .hasSize(1);
            }
        }
    }

    @Test
    void partsOfALargeFileLeaveOutTheirOwnRows() throws IOException {
        StringBuilder text = new StringBuilder("id,note\n");
        for (int i = 0; i < 200_000; i++) {
            text.append(i % 777 == 5 ? "x" + i : i).append(",some note\n");
        }
        Dataset rows = session.read(
                        FileSource.of(
                                List.of(file("a.csv", text.toString())),
                                new CsvFormat(ReadCsv.defaults().withoutQuotes().column("id", DataType.INT64)),
                                FileReads.defaults()),
                        5)
                .onReadError(ErrorPolicy.skip());
        assertThat(ids(rows))
                .isEqualTo(LongStream.range(0, 200_000)
                        .filter(i -> i % 777 != 5)
                        .boxed()
                        .toList());
    }

    @Test
    void aQuoteThatIsNeverClosedCostsOnlyWhatStandsBehindIt() throws IOException {
        file("a.csv", "id,note\n1,a\n2,b\n3,\"c\n4,d\n");
        file("b.csv", "id,note\n5,e\n");
        Dataset rows = session.readCsv(folder.toString())
                .onReadError(ErrorPolicy.deadLetter("rows"))
                .filter(_ -> true);
        assertThat(ids(rows)).containsExactly(1L, 2L, 5L);
        assertThat(rows.deadLetters().takeAll())
                .extracting(row -> row.getString("message"))
                .singleElement()
                .asString()
                .contains("a.csv', line 4", "a quote is opened");
    }

    @Test
    void limitsCountRows() throws IOException {
        StringBuilder text = new StringBuilder("id\n");
        for (int i = 0; i < 1000; i++) {
            text.append(i >= 100 && i % 100 == 0 ? "x\n" : i + "\n");
        }
        Dataset rows = session.readCsv(
                file("a.csv", text.toString()), ReadCsv.defaults().column("id", DataType.INT64));
        assertThat(ids(rows.onReadError(ErrorPolicy.skip().atMost(9)))).hasSize(991);
        assertThatThrownBy(() -> ids(rows.onReadError(ErrorPolicy.skip().atMost(8))))
                .hasMessageContaining("lets at most 8 pass");
        assertThat(ids(rows.onReadError(ErrorPolicy.skip().atMostRatio(0.01)))).hasSize(991);
        assertThatThrownBy(() -> ids(rows.onReadError(ErrorPolicy.skip().atMostRatio(0.008))))
                .hasMessageContaining("9 rows");
    }
}
