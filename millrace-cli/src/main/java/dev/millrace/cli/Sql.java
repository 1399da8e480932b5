package dev.millrace.cli;

import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs queries over files: one of the command line, those of a file or of standard input, or those that are typed.
@Command(
        name = "sql",
        description = "Runs queries over files and prints or writes their rows. Without a query, a shell.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "A table is a file, a folder or a glob: in quotes behind FROM or JOIN, or under the name of --table.",
            "The ending tells the format: parquet, csv, tsv, json, jsonl, ndjson, arrow, feather, avro.",
            "Statements of a file or of standard input are separated by semicolons; the first that fails is the last.",
            "The shell has history, completion of tables and columns, and commands: \\? lists them.",
            "",
            "Examples:",
            "  millrace sql \"SELECT l_shipmode, count(*) FROM 'lineitem.parquet' GROUP BY l_shipmode\"",
            "  millrace sql \"SELECT zone, avg(fare) AS fare FROM trips GROUP BY zone\" --table trips='trips/*.csv'",
            "  millrace sql \"SELECT * FROM trips WHERE fare > 50\" --table trips=trips/ --out dear.parquet",
            "  millrace sql -f report.sql --format markdown",
            "  echo \"SELECT count(*) AS n FROM 'trips.parquet'\" | millrace sql --format csv",
            "  millrace sql --table trips=trips.parquet        # a shell with that table",
        })
final class Sql implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "QUERY", description = "a SELECT")
    private @Nullable String query;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "statements to run; - for standard input")
    private @Nullable String file;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "table, vertical (whole values), csv, json (one object per line) or markdown on the terminal;"
                    + " csv, json, parquet, arrow or avro with --out (default: table; with --out by its ending, else"
                    + " parquet)")
    private @Nullable String format;

    @Option(
            names = "--out",
            paramLabel = "PATH",
            description = "write the rows there instead: into one file if the name has a format's ending, else into a"
                    + " folder of files; what is there is replaced")
    private @Nullable String out;

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "rows that are printed at most (default: 20 of a table, else all)")
    private @Nullable Integer rows;

    @Option(names = "--timing", description = "say how long each statement takes")
    private boolean timing;

    @Mixin
    private final QueryTables tables = new QueryTables();

    @Mixin
    private final SessionOptions options = new SessionOptions();

    @Override
    public void run() {
        RowPrinter.checkedRows(spec, rows);
        if (query != null && file != null) {
            throw mistake("there is a query and a file of them; one of the two is enough.");
        }
        ResultOutput output = out == null ? null : ResultOutput.of(spec, out, format);
        String printed = output == null ? printedFormat() : "table";
        boolean typed = query == null && file == null && isTerminal();
        if (typed && output != null) {
            throw mistake("--out needs a query or -f FILE; in the shell \\o PATH writes the rows of one query.");
        }
        // Before a session is opened: what cannot be read needs none.
        String text = typed ? "" : query != null ? query : script();
        try (Session session = options.open()) {
            RowPrinter printer = RowPrinter.of(spec);
            PrintWriter notes = typed ? printer.to() : spec.commandLine().getErr();
            SqlConsole console = new SqlConsole(session, tables.open(session), printer, notes, printed, rows);
            console.timing(timing || typed);
            console.output(output);
            if (typed) {
                SqlShell.run(console);
            } else if (query != null) {
                SqlStatements.of(text).all().forEach(console::statement);
            } else {
                console.script(text);
            }
        }
    }

    /// Whether somebody types.
    @SuppressWarnings("SystemConsoleNull") // null again since JDK 25, whose console is not JLine's by default
    private static boolean isTerminal() {
        return System.console() != null && System.console().isTerminal();
    }

    private String script() {
        try {
            if (file == null || file.equals("-")) {
                InputStream in = System.in;
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw MillraceException.user("The statements of '" + file + "' could not be read: " + e + ".");
        }
    }

    private ParameterException mistake(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    private String printedFormat() {
        if (format != null && ResultFile.FORMATS.contains(format) && !RowPrinter.FORMATS.contains(format)) {
            throw mistake("--format takes " + String.join(", ", RowPrinter.FORMATS) + ", not '" + format
                    + "'; parquet, arrow and avro need --out.");
        }
        return RowPrinter.checkedFormat(spec, format);
    }
}
