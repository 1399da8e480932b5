package dev.millrace;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.logical.KnownStatistics;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.physical.LikelySize;
import dev.millrace.source.ColumnStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// The steps before a query is parsed: resolves names to datasets, and finds the module with the parser.
final class SqlCall {
    private static final String ARTIFACT = "dev.millrace:millrace-sql";

    private SqlCall() {}

    static Dataset run(Session session, String sql, Map<String, Dataset> datasets) {
        SqlProvider provider = ServiceLoader.load(SqlProvider.class)
                .findFirst()
                .orElseThrow(() ->
                        MillraceException.user("SQL needs the artifact " + ARTIFACT + " on the class path. Add it."));
        Map<String, SqlTable> tables = new LinkedHashMap<>();
        datasets.forEach((name, dataset) -> {
            if (dataset.session() != session) {
                throw MillraceException.user("sql: the dataset of table '" + name + "' belongs to another session.");
            }
            tables.put(name, table(dataset));
        });
        for (String path : provider.files(sql)) {
            if (!tables.containsKey(path)) {
                tables.put(path, table(session.readTable(path)));
            }
        }
        return provider.query(session, sql, tables);
    }

    private static SqlTable table(Dataset dataset) {
        return new SqlTable(dataset, new PlanStatistics(dataset.plan()));
    }

    private record PlanStatistics(LogicalPlan plan) implements SqlTable.Statistics {
        @Override
        public OptionalDouble rows() {
            double rows = LikelySize.rows(plan);
            return Double.isNaN(rows) ? OptionalDouble.empty() : OptionalDouble.of(rows);
        }

        @Override
        public ColumnStatistics column(String name) {
            return KnownStatistics.of(plan, name);
        }
    }

    /// @param tables a name, its dataset, a name, its dataset, and so on
    static Map<String, Dataset> pairs(Object... tables) {
        Map<String, Dataset> datasets = new LinkedHashMap<>();
        for (int i = 0; i < tables.length; i += 2) {
            Object dataset = i + 1 < tables.length ? tables[i + 1] : null;
            if (!(tables[i] instanceof String name) || !(dataset instanceof Dataset table)) {
                throw MillraceException.user("sql: after the query come names and their datasets in turn, as in"
                        + " sql(query, \"trips\", trips, \"zones\", zones); argument " + (i + 2) + " is "
                        + what(tables[i]) + " and is followed by " + what(dataset) + ".");
            }
            if (datasets.put(name, table) != null) {
                throw MillraceException.user("sql: there are two tables '" + name + "'.");
            }
        }
        return datasets;
    }

    private static String what(@Nullable Object value) {
        return switch (value) {
            case null -> "nothing";
            case String text -> "'" + text + "'";
            case Dataset _ -> "a dataset";
            default -> "a " + value.getClass().getSimpleName();
        };
    }
}
