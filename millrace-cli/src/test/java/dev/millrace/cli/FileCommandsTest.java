package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.json.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `head`, `inspect`, `convert` and `explain`.
@Timeout(120)
class FileCommandsTest {
    @TempDir
    private Path folder;

    private String trips;

    @BeforeEach
    void write() throws IOException {
        StringBuilder text = new StringBuilder("id,zone,fare,day\n");
        for (int i = 0; i < 64; i++) {
            text.append(i)
                    .append(i % 4 == 0 ? ",süd," : ",north,")
                    .append(i % 8 == 0 ? "" : String.valueOf(i / 2.0))
                    .append(",2024-01-")
                    .append(10 + i % 10)
                    .append('\n');
        }
        Path file = folder.resolve("trips.csv");
        Files.writeString(file, text);
        trips = file.toString();
    }

    private String run(String... args) {
        CommandRun run = CommandRun.of(args);
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        return run.out();
    }

    @Test
    void headPrintsTheFirstRowsInTheFormatThatIsAskedFor() {
        assertThat(run("head", trips, "-n", "2")).isEqualTo("""
                   id  zone      fare  day
                int64  utf8   float64  date
                -----  -----  -------  ----------
                    0  süd       null  2024-01-10
                    1  north      0.5  2024-01-11
                """);
        assertThat(run("head", trips, "-n", "2", "--columns", "zone,id", "--format", "csv"))
                .isEqualTo("zone,id\nsüd,0\nnorth,1\n");
        assertThat(run("head", trips, "-n", "1", "--columns", "id", "--format", "json"))
                .isEqualTo("{\"id\":0}\n");
        assertThat(run("head", trips, "-n", "1", "--columns", "id,zone", "--format", "vertical"))
                .isEqualTo("-- row 1 --\nid    0\nzone  süd\n");
        assertThat(run("head", trips, "-n", "1", "--columns", "id,zone", "--format", "markdown"))
                .isEqualTo("| id | zone |\n| ---: | --- |\n| 0 | süd |\n");
        assertThat(run("head", trips).lines()).hasSize(3 + 10);
    }

    @Test
    void convertWritesOneFileOrAFolder() throws IOException {
        String parquet = folder.resolve("trips.parquet").toString();
        assertThat(run("convert", trips, parquet)).startsWith("64 rows: " + parquet + ", parquet, in ");
        String some = folder.resolve("some.jsonl").toString();
        run("convert", parquet, some, "--where", "fare > 31", "--columns", "id,zone");
        assertThat(Path.of(some)).hasContent("{\"id\":63,\"zone\":\"north\"}\n");
        String records = folder.resolve("records").toString();
        run("convert", parquet, records, "--format", "tfrecord", "--columns", "id", "--rows", "3");
        assertThat(run("head", records, "--from", "tfrecord", "--format", "csv"))
                .isEqualTo("id\n0\n1\n2\n");
    }

    @Test
    void inspectSaysWhatIsInAFile() {
        String parquet = folder.resolve("trips.parquet").toString();
        run("convert", trips, parquet);
        String text = run("inspect", parquet, "--rows", "1");
        assertThat(text)
                .startsWith(parquet + "\n  format      parquet, ")
                .contains("\n  written by  millrace")
                .contains(" in 1 file\n")
                .contains("\n  rows        64\n")
                .contains("\n  row groups  1, of 64 rows and ")
                .contains("\n  columns     4 (statistics of all rows)\n")
                .containsPattern("\nid +int64 +0 +31.5 ")
                .contains("north 75 %, süd 25 %")
                .containsPattern("\nfare +float64 +12.5 % +0.5 ")
                .containsPattern("\nday +date +2024-01-10 +2024-01-19 ")
                .endsWith("\n 0  süd   null  2024-01-10\n");
        assertThat(run("inspect", trips, "--sample", "10", "--rows", "0"))
                .contains("  format      csv\n", "(statistics of the first 10 rows)");
    }

    @Test
    @SuppressWarnings("unchecked")
    void inspectTellsProgramsTheSameAsJson() {
        String parquet = folder.resolve("trips.parquet").toString();
        run("convert", trips, parquet);
        Map<String, Object> facts = (Map<String, Object>)
                JsonText.parse(run("inspect", parquet, "--json").getBytes(StandardCharsets.UTF_8));
        assertThat(facts)
                .containsEntry("rows", 64L)
                .containsEntry("format", "parquet")
                .containsEntry("sampledRows", 64L);
        assertThat((List<Object>) facts.get("rowGroups")).hasSize(1);
        List<Map<String, Object>> columns = (List<Map<String, Object>>) facts.get("columns");
        assertThat(columns).extracting(column -> column.get("name")).containsExactly("id", "zone", "fare", "day");
        assertThat(((Map<String, Object>) columns.getFirst().get("histogram")).get("counts"))
                .isEqualTo(Collections.nCopies(16, 4L));
    }

    @Test
    void explainShowsThePlansAndRunsOnlyWhenAsked() {
        String query = "SELECT zone, count(*) AS n FROM t GROUP BY zone";
        assertThat(run("explain", query, "--table", "t=" + trips))
                .contains("Logical plan", "Physical plan", "GroupBy[zone]")
                .doesNotContain("finished in");
        assertThat(run("explain", query, "--table", "t=" + trips, "--analyze"))
                .contains("Physical plan", "finished in", "peak memory");
    }

    @Test
    void mistakesAreSentences() {
        CommandRun same = CommandRun.of("convert", trips, trips);
        assertThat(same.status()).isEqualTo(2);
        assertThat(same.err().strip()).isEqualTo("millrace convert: IN and OUT are both '" + trips + "'.");
        CommandRun format = CommandRun.of("head", trips, "--format", "xml");
        assertThat(format.status()).isEqualTo(2);
        assertThat(format.err().strip())
                .isEqualTo("millrace head: --format takes table, vertical, csv, json, markdown, not 'xml'.");
        CommandRun gone =
                CommandRun.of("inspect", folder.resolve("gone.parquet").toString());
        assertThat(gone.status()).isEqualTo(1);
        assertThat(gone.err())
                .startsWith("millrace inspect: ")
                .contains("gone.parquet")
                .doesNotContain("\tat ");
    }

    @Test
    void aHistogramCountsValuesInEqualPartsOfTheirRange() {
        assertThat(Histogram.of(new double[0], 4)).isNull();
        assertThat(Histogram.of(new double[] {7, 7}, 4).counts()).containsExactly(2, 0, 0, 0);
        Histogram histogram = Histogram.of(new double[] {-Double.MAX_VALUE, 0, 0, Double.MAX_VALUE}, 4);
        assertThat(histogram.counts()).containsExactly(1, 0, 2, 1);
        assertThat(histogram.bars(true)).isEqualTo("▅ █▅");
        assertThat(histogram.bars(false)).isEqualTo("+ #+");
    }
}
