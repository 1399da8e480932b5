package dev.millrace.internal.sql;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.SqlProvider;
import dev.millrace.SqlTable;
import dev.millrace.expression.Expression;
import dev.millrace.internal.thread.DeepStack;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelRoot;

/// Translates queries by Calcite's parser, validator and converter.
public final class CalciteSql implements SqlProvider {
    @Override
    public List<String> files(String sql) {
        return QueryFiles.paths(sql);
    }

    @Override
    public Dataset query(Session session, String sql, Map<String, SqlTable> tables) {
        return DeepStack.call(() -> dataset(session, sql, tables));
    }

    /// Calcite simplifies conditions whenever it creates them, and fails at some: at a number that is compared with
    /// constants of two types, and at subqueries whose condition is never true, which it does not turn into joins. Such
    /// a query is planned once more without simplification; what fails then too is told by the first failure.
    private static Dataset dataset(Session session, String sql, Map<String, SqlTable> tables) {
        Set<String> words = names(tables);
        QueryParser.Parsed written = QueryParser.parse(sql, words);
        CheckedQuery query = new CheckedQuery(sql, words, written.query(), tables);
        try {
            return dataset(session, written, query.plan(true));
        } catch (RuntimeException e) {
            try {
                return dataset(session, written, query.plan(false));
            } catch (RuntimeException again) {
                e.addSuppressed(again);
                throw e;
            }
        }
    }

    private static Dataset dataset(Session session, QueryParser.Parsed written, RelRoot plan) {
        TranslatedRelation rows = new RelTranslator(session).translate(plan.rel);
        List<String> names = OutputNames.of(written, plan.fields);
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            columns.add(rows.column(plan.fields.get(i).getKey()).as(names.get(i)));
        }
        return rows.dataset().select(columns.toArray(Expression[]::new));
    }

    private static Set<String> names(Map<String, SqlTable> tables) {
        Set<String> names = new HashSet<>();
        tables.forEach((name, table) -> {
            names.add(name.toLowerCase(Locale.ROOT));
            table.dataset().columns().forEach(column -> names.add(column.toLowerCase(Locale.ROOT)));
        });
        return names;
    }
}
