package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.settings.ProgressSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(120)
class SqlTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path trips;

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(
                Stream.concat(Stream.of("sql"), Stream.of(args)).toArray(String[]::new));
    }

    @BeforeEach
    void write() throws IOException {
        trips = folder.resolve("trips.csv");
        StringBuilder text = new StringBuilder("zone,fare,day,note\n");
        for (int i = 0; i < 50; i++) {
            text.append(i % 3)
                    .append(',')
                    .append(i % 7 == 0 ? "" : i / 2.0)
                    .append(",2024-01-")
                    .append(10 + i % 10)
                    .append(",\"é€, ")
                    .append(i)
                    .append("\"\n");
        }
        Files.writeString(trips, text);
    }

    @Test
    void aFileInTheQueryIsATable() {
        int status =
                run("SELECT zone, count(*) AS n, sum(fare) AS fare FROM '" + trips + "' GROUP BY zone ORDER BY zone");
        assertThat(err.toString()).isEmpty();
        assertThat(status).isZero();
        assertThat(out.toString()).isEqualTo("""
             zone      n     fare
            int64  int64  float64
            -----  -----  -------
                0     17    172.5
                1     17    170.5
                2     16    171.5
            """);
    }

    @Test
    void moreRowsThanAreShownAreCounted() {
        assertThat(run("SELECT note FROM t", "--table", "t=" + trips)).isZero();
        assertThat(out.toString())
                .contains("é€, 19")
                .doesNotContain("é€, 20")
                .endsWith("50 rows, of which 20 are shown; --rows N shows more, --out writes all.\n");
        assertThat(run("SELECT note FROM t", "--table", "t=" + trips, "--rows", "50"))
                .isZero();
        assertThat(out.toString()).contains("é€, 49").doesNotContain("shown");
        assertThat(run("SELECT note FROM t WHERE zone > 5", "--table", "t=" + trips))
                .isZero();
        assertThat(out.toString()).endsWith("(no rows)\n");
    }

    @Test
    void rowsArePrintedAsCsvAndJson() {
        String query = "SELECT zone, fare, note FROM t ORDER BY fare LIMIT 2";
        assertThat(run(query, "--table", "t=" + trips, "--format", "csv")).isZero();
        assertThat(out.toString()).isEqualTo("zone,fare,note\n1,0.5,\"é€, 1\"\n2,1.0,\"é€, 2\"\n");
        assertThat(run(query, "--table", "t=" + trips, "--format", "json")).isZero();
        assertThat(out.toString()).isEqualTo("""
                        {"zone":1,"fare":0.5,"note":"é€, 1"}
                        {"zone":2,"fare":1.0,"note":"é€, 2"}
                        """);
    }

    @Test
    void statementsOfAFileRunInTheirOrder() throws IOException {
        Path file = folder.resolve("report.sql");
        Files.writeString(file, "SELECT count(*) AS n FROM t; -- all\nSELECT count(*) AS n FROM t WHERE zone = 0");
        assertThat(run("-f", file.toString(), "--table", "t=" + trips, "--format", "csv"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).isEqualTo("n\n50\nn\n17\n");
        Files.writeString(file, "SELECT nothing FROM t; SELECT count(*) AS n FROM t");
        assertThat(run("-f", file.toString(), "--table", "t=" + trips, "--timing"))
                .isEqualTo(1);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).startsWith("millrace sql: SQL, line 1, column 8: Column 'nothing' not found");
    }

    @Test
    void statementsComeFromStandardInputIfThereIsNoQuery() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("SELECT count(*) AS n FROM t".getBytes(StandardCharsets.UTF_8)));
        try {
            assertThat(run("-f", "-", "--table", "t=" + trips, "--format", "markdown", "--timing"))
                    .as(err.toString())
                    .isZero();
        } finally {
            System.setIn(before);
        }
        assertThat(out.toString()).isEqualTo("| n |\n| ---: |\n| 50 |\n");
        assertThat(err.toString()).startsWith("Time: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"all.parquet", "all.csv", "all.jsonl", "all.arrow", "all.avro", "parts"})
    void whatIsWrittenIsATableAgain(String name) {
        Path written = folder.resolve("made").resolve(name);
        assertThat(run("SELECT * FROM t", "--table", "t=" + trips, "--out", written.toString()))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).isEqualTo("50 rows: " + written + "\n");
        assertThat(Files.isDirectory(written)).isEqualTo(name.equals("parts"));
        String join = "SELECT count(*) AS n FROM t JOIN '" + written + "' AS w ON t.note = w.note AND t.zone = w.zone"
                + " AND t.fare IS NOT DISTINCT FROM w.fare";
        assertThat(run(join, "--table", "t=" + trips, "--format", "csv"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).isEqualTo("n\n50\n");
        // Once more: what is there is replaced.
        assertThat(run("SELECT * FROM t WHERE zone = 0", "--table", "t=" + trips, "--out", written.toString()))
                .isZero();
        assertThat(run("SELECT count(*) AS n FROM t", "--table", "t=" + written, "--format", "csv"))
                .isZero();
        assertThat(out.toString()).isEqualTo("n\n17\n");
    }

    @Test
    void globsAndFoldersAreTables() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            session.items(List.of(Row.of("id", 1L), Row.of("id", 2L)))
                    .writeParquet(folder.resolve("ids").toString());
        }
        for (String path : List.of("ids", "ids/*.parquet")) {
            assertThat(run("SELECT sum(id) AS s FROM ids", "--table", "ids=" + folder.resolve(path), "--format", "csv"))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString()).isEqualTo("s\n3\n");
        }
    }

    private void fails(int status, String sentence, String... args) {
        assertThat(run(args)).isEqualTo(status);
        assertThat(err.toString().strip()).isEqualTo(sentence);
    }

    @Test
    void mistakesAreSentencesWithTheirPlace() {
        String table = "t=" + trips;
        fails(
                1,
                "millrace sql: SQL, line 1, column 8: Column 'fair' not found in any table. There is t with"
                        + " [zone, fare, day, note].",
                "SELECT fair FROM t",
                "--table",
                table);
        fails(
                1,
                "millrace sql: SQL, line 2, column " + (trips.toString().length() + 11)
                        + ": 'WERE' cannot stand here. Did you mean WHERE?",
                "SELECT zone\nFROM '" + trips + "' t WERE zone = 1");
        fails(
                1,
                "millrace sql: 'trips' does not tell its format. Give a file, a glob such as 'trips/*.parquet' or a"
                        + " folder whose files end in parquet, csv, tsv, json, jsonl, ndjson, arrow, feather or avro.",
                "SELECT zone FROM t",
                "--table",
                "t=trips");
        fails(
                2,
                "millrace sql: --table takes NAME=PATH, as in trips=trips.parquet, not 'trips.parquet'.",
                "SELECT 1",
                "--table",
                "trips.parquet");
        fails(
                2,
                "millrace sql: --format takes table, vertical, csv, json, markdown, not 'parquet'; parquet, arrow and"
                        + " avro need --out.",
                "SELECT zone FROM t",
                "--format",
                "parquet");
        assertThat(run("SELECT zone FROM t", "--table", "t=nowhere.csv")).isEqualTo(1);
        assertThat(err.toString()).contains("nowhere.csv").doesNotContain("\tat ");
    }
}
