package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.Session;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The option of commands with queries.
final class QueryTables {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--table", paramLabel = "NAME=PATH", description = "a table of the query; may come several times")
    private List<String> tables = List.of();

    /// @param name of the table
    record Named(String name, String path) {}

    Map<String, Dataset> open(Session session) {
        Map<String, Dataset> datasets = new LinkedHashMap<>();
        for (String table : tables) {
            Named named = named(table);
            if (named == null) {
                throw mistake("--table takes NAME=PATH, as in trips=trips.parquet, not '" + table + "'.");
            }
            if (datasets.put(named.name, session.readTable(named.path)) != null) {
                throw mistake("--table: there are two tables '" + named.name + "'.");
            }
        }
        return datasets;
    }

    /// Null if the text is not NAME=PATH.
    static @Nullable Named named(String text) {
        int equals = text.indexOf('=');
        return equals < 1 || equals == text.length() - 1
                ? null
                : new Named(
                        text.substring(0, equals).strip(),
                        text.substring(equals + 1).strip());
    }

    private ParameterException mistake(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
