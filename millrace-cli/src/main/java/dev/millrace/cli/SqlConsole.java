package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.consume.TableText;
import dev.millrace.internal.stats.HumanUnits;
import dev.millrace.internal.wording.SimilarNames;
import dev.millrace.type.Field;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs statements and the commands of the shell, which begin with a backslash, and prints what they return.
///
/// Its tables and options last as long as it does. One thread.
final class SqlConsole {
    static final List<String> COMMANDS =
            List.of("\\?", "\\d", "\\table", "\\format", "\\rows", "\\timing", "\\stats", "\\o", "\\i", "\\q");

    private static final String HELP = """
            SELECT ...;          runs a query; it may have several lines and ends with a semicolon
            EXPLAIN SELECT ...;  shows how it would run
            FROM 'trips.parquet' a file, a folder or a glob is a table

            \\d                   lists the tables
            \\d NAME              the columns of a table, or of a file
            \\table NAME=PATH     makes a file a table
            \\format FORMAT       table, vertical (whole values), csv, json or markdown
            \\rows N              how many rows of a table are shown
            \\timing              says how long each statement takes, or no longer
            \\stats               what the last query did: operators, times, memory
            \\o PATH              the next query writes its rows there
            \\i FILE              runs the statements of a file
            \\q                   ends

            Tab completes, the arrows and Ctrl-R find what was typed before, Ctrl-C stops a query.""";

    private final Session session;
    private final Map<String, Dataset> tables;
    private final RowPrinter printer;
    private final PrintWriter notes;
    private String format;
    private @Nullable Integer rows;
    private boolean timing;
    private @Nullable ResultOutput output;
    private @Nullable Dataset last;

    /// @param notes for what is no result, such as times
    SqlConsole(
            Session session,
            Map<String, Dataset> tables,
            RowPrinter printer,
            PrintWriter notes,
            String format,
            @Nullable Integer rows) {
        this.session = session;
        this.tables = tables;
        this.printer = printer;
        this.notes = notes;
        this.format = format;
        this.rows = rows;
    }

    Session session() {
        return session;
    }

    Map<String, Dataset> tables() {
        return tables;
    }

    PrintWriter out() {
        return printer.to();
    }

    void timing(boolean on) {
        timing = on;
    }

    /// The next query writes there.
    void output(@Nullable ResultOutput to) {
        output = to;
    }

    /// Runs a statement without its semicolon.
    void statement(String sql) {
        long begun = System.nanoTime();
        String query = withoutFirstWord(sql, "explain");
        Dataset result = session.sql(query == null ? sql : query, tables);
        if (query != null) {
            out().println(result.explain().stripTrailing());
        } else if (output != null) {
            ResultOutput to = output;
            output = null;
            long count = to.write(session, rows == null ? result : result.limit(rows));
            out().printf(Locale.ROOT, "%,d rows: %s%n", count, to.path());
        } else {
            last = result;
            printer.print(session, result, format, rows, "--rows N shows more, --out writes all");
        }
        if (timing) {
            out().flush();
            notes.println("Time: " + HumanUnits.time(System.nanoTime() - begun));
            notes.flush();
        }
        out().flush();
    }

    private static @Nullable String withoutFirstWord(String sql, String word) {
        return sql.length() > word.length()
                        && sql.regionMatches(true, 0, word, 0, word.length())
                        && Character.isWhitespace(sql.charAt(word.length()))
                ? sql.substring(word.length()).strip()
                : null;
    }

    /// Runs a command.
    ///
    /// @param line with its backslash
    /// @return false if the shell is to end
    boolean command(String line) {
        String[] words = line.strip().replaceFirst(";+$", "").split("\\s+", 2);
        String argument = words.length < 2 ? "" : words[1].strip();
        switch (words[0]) {
            case "\\q" -> {
                return false;
            }
            case "\\?" -> out().println(HELP);
            case "\\d" -> describe(argument);
            case "\\table" -> table(argument);
            case "\\format" -> format(argument);
            case "\\rows" -> rows(argument);
            case "\\timing" -> {
                timing = !timing;
                out().println("Timing is " + (timing ? "on." : "off."));
            }
            case "\\stats" ->
                out().println(
                                last == null
                                        ? "No query has run yet."
                                        : last.stats().stripTrailing());
            case "\\o" -> output(argument);
            case "\\i" -> file(argument);
            default ->
                throw MillraceException.user("There is no command '" + words[0] + "'."
                        + SimilarNames.suggestion(words[0], COMMANDS) + " \\? lists them all.");
        }
        out().flush();
        return true;
    }

    private void describe(String name) {
        if (!name.isEmpty()) {
            Dataset table = tables.get(name);
            Dataset found = table == null ? session.readTable(unquoted(name)) : table;
            List<Row> columns = new ArrayList<>();
            for (Field field : found.schema().fields()) {
                columns.add(Row.of("column", field.name(), "type", field.type().toString()));
            }
            print(columns);
        } else if (tables.isEmpty()) {
            out().println("No table has a name. \\table NAME=PATH gives it one; FROM 'trips.parquet' needs none.");
        } else {
            List<Row> listed = new ArrayList<>();
            tables.forEach((table, dataset) -> listed.add(Row.of(
                    "table",
                    table,
                    "columns",
                    String.join(", ", dataset.columns()),
                    "files",
                    dataset.inputFiles().size())));
            print(listed);
        }
    }

    private void print(List<Row> rows) {
        TableText.Layout layout = printer.layout();
        out().println(TableText.of(
                rows, Optional.empty(), new TableText.Layout(layout.width(), layout.folds(), false)));
    }

    private static String unquoted(String name) {
        return name.length() > 1 && name.startsWith("'") && name.endsWith("'")
                ? name.substring(1, name.length() - 1)
                : name;
    }

    private void table(String argument) {
        QueryTables.Named named = QueryTables.named(argument);
        if (named == null) {
            throw MillraceException.user("\\table takes NAME=PATH, as in trips=trips.parquet, not '" + argument + "'.");
        }
        Dataset table = session.readTable(unquoted(named.path()));
        tables.put(named.name(), table);
        out().println(named.name() + ": " + String.join(", ", table.columns()));
    }

    private void format(String argument) {
        String as = argument.toLowerCase(Locale.ROOT);
        if (!RowPrinter.FORMATS.contains(as)) {
            throw MillraceException.user(
                    "\\format takes " + String.join(", ", RowPrinter.FORMATS) + ", not '" + argument + "'.");
        }
        format = as;
    }

    private void rows(String argument) {
        if (!argument.matches("\\d{1,9}")) {
            throw MillraceException.user("\\rows takes a number, not '" + argument + "'.");
        }
        rows = Integer.valueOf(argument);
    }

    private void output(String argument) {
        if (argument.isEmpty()) {
            throw MillraceException.user("\\o takes a file or a folder, as in \\o dear.parquet.");
        }
        output = ResultOutput.of(unquoted(argument));
        out().println("The next query writes to " + argument + ".");
    }

    private void file(String argument) {
        String path = unquoted(argument);
        try {
            script(Files.readString(Path.of(path)));
        } catch (IOException e) {
            throw MillraceException.user("'" + path + "' could not be read: " + e + ".");
        }
    }

    /// Runs the statements of a text, and the commands that have a line for themselves, up to the first failure.
    void script(String text) {
        StringBuilder statements = new StringBuilder();
        for (String line : text.lines().toList()) {
            boolean begins = SqlStatements.of(statements.toString()).all().isEmpty();
            if (begins && line.stripLeading().startsWith("\\")) {
                statements.setLength(0);
                if (!command(line)) {
                    return;
                }
                continue;
            }
            statements.append(line).append('\n');
            SqlStatements split = SqlStatements.of(statements.toString());
            if (!split.complete().isEmpty()) {
                split.complete().forEach(this::statement);
                statements.setLength(0);
                statements.append(split.rest()).append(split.rest().isEmpty() ? "" : "\n");
            }
        }
        SqlStatements.of(statements.toString()).all().forEach(this::statement);
    }
}
