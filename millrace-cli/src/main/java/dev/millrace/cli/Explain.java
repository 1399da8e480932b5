package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.Session;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows how a query would run.
@Command(
        name = "explain",
        description = "Shows how a query would run: the plan as written, optimized, and as it would run, and the memory"
                + " to expect.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Nothing is read but schemas and statistics of files. --analyze runs the query and shows what it did:",
            "rows, times, memory and what held it back, for each operator.",
            "",
            "Examples:",
            "  millrace explain \"SELECT l_shipmode, count(*) FROM 'lineitem.parquet' GROUP BY l_shipmode\"",
            "  millrace explain \"SELECT * FROM trips WHERE fare > 50\" --table trips='trips/*.csv' --analyze",
        })
final class Explain implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "QUERY", description = "a SELECT")
    private String query;

    @Option(names = "--analyze", description = "run it, too, and show what happened; its rows are thrown away")
    private boolean analyze;

    @Option(names = "--json", description = "one JSON object with the texts instead")
    private boolean json;

    @Mixin
    private final QueryTables tables = new QueryTables();

    @Override
    public void run() {
        PrintWriter to = spec.commandLine().getOut();
        try (Session session = Session.open()) {
            Dataset result = session.sql(query, tables.open(session));
            Map<String, Object> texts = new LinkedHashMap<>();
            texts.put("explain", result.explain());
            if (!json) {
                to.println(result.explain().stripTrailing());
                to.flush();
            }
            if (analyze) {
                result.materialize().close();
                texts.put("stats", result.stats());
                if (!json) {
                    to.println();
                    to.println(result.stats().stripTrailing());
                }
            }
            if (json) {
                JsonOutput.print(to, texts);
            }
            to.flush();
        }
    }
}
