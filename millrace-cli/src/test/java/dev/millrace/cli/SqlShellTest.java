package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.internal.consume.TableText;
import dev.millrace.settings.ProgressSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The shell without a terminal of the system: what it runs, what it completes, and how lines become entries.
@Timeout(120)
class SqlShellTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final Map<String, Dataset> tables = new LinkedHashMap<>();
    private Session session;
    private SqlConsole console;

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
        tables.put(
                "trips", session.items(Row.of("id", 1L, "Zone name", "north"), Row.of("id", 2L, "Zone name", "süd")));
        PrintWriter to = new PrintWriter(out, true);
        console = new SqlConsole(
                session, tables, new RowPrinter(to, TableText.Layout.free().withTypes()), to, "csv", null);
    }

    @AfterEach
    void close() {
        session.close();
    }

    private String run(String entered) {
        out.getBuffer().setLength(0);
        assertThat(SqlShell.run(console, entered)).isTrue();
        return out.toString();
    }

    @Test
    void statementsAndCommandsTakeTurns() throws IOException {
        assertThat(run("SELECT sum(id) AS s\nFROM trips;")).isEqualTo("s\n3\n");
        assertThat(run("\\d")).contains("trips  id, Zone name      0");
        assertThat(run("\\d trips")).contains("id         int64", "Zone name  utf8");
        Path file = folder.resolve("n.csv");
        Files.writeString(file, "n\n7\n");
        assertThat(run("\\table numbers=" + file)).isEqualTo("numbers: n\n");
        assertThat(run("select n from numbers; select n + 1 as m from numbers;"))
                .isEqualTo("n\n7\nm\n8\n");
        run("\\format markdown");
        assertThat(run("select n from numbers;")).isEqualTo("| n |\n| ---: |\n| 7 |\n");
        run("\\o " + folder.resolve("m.csv"));
        assertThat(run("select n from numbers;")).isEqualTo("1 rows: " + folder.resolve("m.csv") + "\n");
        assertThat(folder.resolve("m.csv")).hasContent("n\n7\n");
        assertThat(run("explain select n from numbers;")).contains("Physical plan");
        run("\\timing");
        assertThat(run("select n from numbers;")).contains("| 7 |\nTime: ");
        assertThat(run("\\stats")).contains("finished in");
        assertThat(run("\\?")).contains("\\table NAME=PATH", "\\timing");
        assertThat(SqlShell.run(console, "\\q")).isFalse();
        assertThat(SqlShell.run(console, "Exit;")).isFalse();
    }

    @Test
    void mistakesAreSaidAndTheShellGoesOn() {
        assertThat(run("SELECT nid FROM trips;")).startsWith("SQL, line 1, column 8: Column 'nid' not found");
        assertThat(run("\\tabel x"))
                .isEqualTo("There is no command '\\tabel'. Did you mean '\\table'? \\? lists them all.\n");
        assertThat(run("\\table x")).startsWith("\\table takes NAME=PATH");
        assertThat(run("\\format xml")).startsWith("\\format takes table, vertical, csv, json, markdown, not 'xml'.");
        assertThat(run("SELECT id FROM trips WHERE id = 2;")).isEqualTo("id\n2\n");
    }

    @Test
    void aScriptHasStatementsOfSeveralLinesAndCommands() {
        console.script("""
                -- a comment; with a semicolon
                SELECT id
                FROM trips ORDER BY id LIMIT 1;
                \\format json
                SELECT id FROM trips
                ORDER BY id DESC LIMIT 1; SELECT 1 AS one FROM trips LIMIT 1
                """);
        assertThat(out.toString()).isEqualTo("id\n1\n{\"id\":2}\n{\"one\":1}\n");
    }

    private Set<String> completed(String line, String word) {
        return new SqlCompleter(console).complete(line, line.length(), word);
    }

    @Test
    void tablesColumnsWordsFilesAndCommandsAreCompleted() throws IOException {
        Files.writeString(folder.resolve("fares.csv"), "fare,day\n1,2\n");
        Files.writeString(folder.resolve("notes.md"), "");
        assertThat(completed("SELECT i", "i")).contains("id", "\"Zone name\"", "trips", "select", "is");
        assertThat(completed("SELECT id FROM ", "")).contains("trips").doesNotContain("id", "SELECT");
        assertThat(completed("SELECT trips.", "trips.")).containsExactly("trips.id", "trips.\"Zone name\"");
        String begun = "'" + folder + "/";
        assertThat(completed("SELECT * FROM " + begun, begun)).containsExactly("'" + folder + "/fares.csv'");
        assertThat(completed("SELECT * FROM '" + folder + "/fares.csv' WHERE f", "f"))
                .contains("fare", "day")
                .doesNotContain("id");
        assertThat(completed("\\", "\\")).contains("\\d", "\\timing", "\\q");
        assertThat(completed("\\format ", "")).containsExactlyInAnyOrderElementsOf(RowPrinter.FORMATS);
        assertThat(completed("\\d t", "t")).contains("trips");
    }

    /// The reader of the shell over keys that are typed: a tab completes, an entry has several lines, and what was
    /// entered is kept.
    @Test
    void keysBecomeEntriesAndHistory() throws IOException {
        String keys = "SELECT coale\t1) FROM tri\t\n  WHERE id = 1;\n\\d tri\t\n\u0004";
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        Path history = folder.resolve("history");
        try (Terminal terminal = new LineDisciplineTerminal("test", "xterm", shown, StandardCharsets.UTF_8)) {
            terminal.setSize(Size.of(120, 40));
            LineReader reader = SqlShell.reader(console, terminal, history);
            ((LineDisciplineTerminal) terminal).processInputBytes(keys.getBytes(StandardCharsets.UTF_8));
            assertThat(reader.readLine("> ")).isEqualTo("SELECT coalesce(1) FROM trips \n  WHERE id = 1;");
            assertThat(reader.readLine("> ").strip()).isEqualTo("\\d trips");
            assertThatThrownBy(() -> reader.readLine("> ")).isInstanceOf(EndOfFileException.class);
        }
        assertThat(Files.readString(history)).contains("SELECT coalesce(1) FROM trips", "d trips");
    }
}
