package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.source.FileEndings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs a query over files.
@Command(
        name = "sql",
        description = "Runs a query over files and prints or writes its rows.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "A table is a file, a folder or a glob: in quotes behind FROM or JOIN, or under the name of --table.",
            "The ending tells the format: parquet, csv, tsv, json, jsonl, ndjson, arrow, feather, avro.",
            "",
            "Examples:",
            "  millrace sql \"SELECT l_shipmode, count(*) FROM 'lineitem.parquet' GROUP BY l_shipmode\"",
            "  millrace sql \"SELECT zone, avg(fare) AS fare FROM trips GROUP BY zone\" --table trips='trips/*.csv'",
            "  millrace sql \"SELECT * FROM trips WHERE fare > 50\" --table trips=trips/ --out dear.parquet",
        })
final class Sql implements Runnable {
    private static final int SHOWN_ROWS = 20;
    private static final List<String> PRINTED = List.of("table", "csv", "json");

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "QUERY", description = "a SELECT")
    private String query;

    @Option(names = "--table", paramLabel = "NAME=PATH", description = "a table of the query; may come several times")
    private List<String> tables = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "table, csv or json (one object per line) on the terminal; csv, json, parquet, arrow or avro"
                    + " with --out (default: table; with --out by its ending, else parquet)")
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

    @Mixin
    private final DashboardOption dashboard = new DashboardOption();

    @Override
    public void run() {
        if (rows != null && rows < 0) {
            throw mistake("--rows takes 0 or more, not " + rows + ".");
        }
        String as = format();
        try (Session session = Session.builder().dashboard(dashboard.settings()).open()) {
            Dataset result = session.sql(query, tables(session));
            if (out != null) {
                write(session, result, as, out);
            } else {
                print(session, result, as);
            }
        }
    }

    private Map<String, Dataset> tables(Session session) {
        Map<String, Dataset> datasets = new LinkedHashMap<>();
        for (String table : tables) {
            int equals = table.indexOf('=');
            if (equals < 1 || equals == table.length() - 1) {
                throw mistake("--table takes NAME=PATH, as in trips=trips.parquet, not '" + table + "'.");
            }
            String name = table.substring(0, equals);
            if (datasets.put(name, session.readTable(table.substring(equals + 1))) != null) {
                throw mistake("--table: there are two tables '" + name + "'.");
            }
        }
        return datasets;
    }

    private ParameterException mistake(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    private String format() {
        if (out == null) {
            String as = format == null ? "table" : format;
            if (!PRINTED.contains(as)) {
                throw mistake("--format takes " + String.join(", ", PRINTED) + ", not '" + as
                        + "'; parquet, arrow and avro need --out.");
            }
            return as;
        }
        String ending = FileEndings.format(out);
        String as = format != null ? format : ending != null ? ending : "parquet";
        if (!ResultFile.FORMATS.contains(as)) {
            throw mistake("--format takes " + String.join(", ", ResultFile.FORMATS) + " with --out, not '" + as + "'.");
        }
        return as;
    }

    private void print(Session session, Dataset result, String as) {
        PrintWriter to = spec.commandLine().getOut();
        if (as.equals("table")) {
            printTable(to, result);
        } else {
            ResultFile.print(session, limited(result), as, to);
        }
        to.flush();
    }

    private Dataset limited(Dataset result) {
        return rows == null ? result : result.limit(rows);
    }

    private void printTable(PrintWriter to, Dataset result) {
        int most = rows == null ? SHOWN_ROWS : rows;
        ResultTable table = ResultTable.of(result.schema(), result.take(most + 1), most);
        to.print(table.text());
        to.flush();
        if (table.isCut()) {
            long all = result.count();
            to.printf(
                    Locale.ROOT,
                    "%,d rows, of which %,d are shown; --rows N shows more, --out writes all.%n",
                    all,
                    most);
        }
    }

    private void write(Session session, Dataset result, String as, String to) {
        Dataset written = limited(result);
        long count;
        if (FileEndings.format(to) != null && !to.contains("://") && !Files.isDirectory(Path.of(to))) {
            try {
                count = ResultFile.write(session, written, as, Path.of(to));
            } catch (IOException e) {
                throw MillraceException.user("'" + to + "' could not be written: " + e.getMessage() + ".");
            }
        } else {
            count = ResultFile.writeFolder(written, as, to);
        }
        PrintWriter printed = spec.commandLine().getOut();
        printed.printf(Locale.ROOT, "%,d rows: %s%n", count, to);
        printed.flush();
    }
}
