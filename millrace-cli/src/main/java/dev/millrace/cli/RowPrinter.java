package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.internal.consume.TableText;
import dev.millrace.internal.progress.TerminalStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// Prints rows: as a table for people, or whole for programs.
///
/// @param layout of tables
record RowPrinter(PrintWriter to, TableText.Layout layout) {
    static final List<String> FORMATS = List.of("table", "vertical", "csv", "json", "markdown");

    private static final int SHOWN_ROWS = 20;

    /// For the output of a command: as wide as its terminal.
    static RowPrinter of(CommandSpec spec) {
        return new RowPrinter(
                spec.commandLine().getOut(),
                TableText.Layout.of(TerminalStream.OUT).withTypes());
    }

    /// @param format null: table
    static String checkedFormat(CommandSpec spec, @Nullable String format) {
        String as = format == null ? "table" : format.toLowerCase(Locale.ROOT);
        if (!FORMATS.contains(as)) {
            throw new ParameterException(
                    spec.commandLine(), "--format takes " + String.join(", ", FORMATS) + ", not '" + format + "'.");
        }
        return as;
    }

    static void checkedRows(CommandSpec spec, @Nullable Integer rows) {
        if (rows != null && rows < 0) {
            throw new ParameterException(spec.commandLine(), "--rows takes 0 or more, not " + rows + ".");
        }
    }

    /// Prints rows as long as they fit: of a table 20, if `most` is null, and then says how many there are; of all else
    /// every one.
    ///
    /// @param forMore what shows more rows, for the line below a table that has more
    void print(Session session, Dataset rows, String format, @Nullable Integer most, String forMore) {
        switch (format) {
            case "csv", "json" -> ResultFile.print(session, most == null ? rows : rows.limit(most), format, to);
            case "markdown" ->
                to.println(TableText.markdown(most == null ? rows.takeAll() : rows.take(most), rows.schema()));
            case "vertical" -> counted(rows, most, forMore, shown -> TableText.vertical(shown, layout.width()));
            default -> counted(rows, most, forMore, shown -> TableText.of(shown, Optional.of(rows.schema()), layout));
        }
        to.flush();
    }

    private interface Shown {
        String text(List<Row> rows);
    }

    private void counted(Dataset rows, @Nullable Integer most, String forMore, Shown shown) {
        int limit = most == null ? SHOWN_ROWS : most;
        List<Row> taken = rows.take(limit + 1);
        to.println(shown.text(taken.subList(0, Math.min(limit, taken.size()))));
        to.flush();
        if (taken.size() > limit && !forMore.isEmpty()) {
            to.printf(Locale.ROOT, "%,d rows, of which %,d are shown; %s.%n", rows.count(), limit, forMore);
        }
    }
}
