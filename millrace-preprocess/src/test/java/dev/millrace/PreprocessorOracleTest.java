package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.preprocess.Chain;
import dev.millrace.preprocess.ColumnPreprocessor;
import dev.millrace.preprocess.Fitted;
import dev.millrace.preprocess.MaxAbsScaler;
import dev.millrace.preprocess.MinMaxScaler;
import dev.millrace.preprocess.OneHotEncoder;
import dev.millrace.preprocess.OrdinalEncoder;
import dev.millrace.preprocess.Preprocessor;
import dev.millrace.preprocess.RobustScaler;
import dev.millrace.preprocess.SimpleImputer;
import dev.millrace.preprocess.StandardScaler;
import dev.millrace.testing.OracleTable;
import dev.millrace.type.DataType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Preprocessors over the columns of random tables, in one chain, against what DuckDB computes of them.
@Timeout(300)
class PreprocessorOracleTest extends DuckDbOracle {
    int cases() {
        return Integer.getInteger("millrace.cases", 30);
    }

    @Override
    long[] targets() {
        return new long[] {300, 2_000, 128 << 20};
    }

    /// A new column, and DuckDB's way to say it with `x` for the value that is neither null nor NaN.
    ///
    /// @param divisor what differences of values were divided by; empty where all is exact
    private record Term(String output, String column, String sql, String divisor) {
        boolean isExact() {
            return divisor.isEmpty();
        }
    }

    @Test
    void transformedColumnsAreWhatDuckDbMakes() throws Exception {
        for (long number = 0; number < cases(); number++) {
            Random random = new Random(seed + number);
            OracleTable table = new OracleTable(random, random.nextInt(10) == 0 ? 1500 : 60);
            List<Preprocessor> parts = new ArrayList<>();
            List<Term> terms = new ArrayList<>();
            for (String column : table.schema().names()) {
                parts(table, column, parts, terms);
            }
            if (parts.isEmpty()) {
                continue;
            }
            table.load(duck, "t");
            String which = "seed " + seed + ", case " + number + ", " + table.schema();
            Session session = sessions.get(random.nextInt(sessions.size()));
            try (MaterializedDataset dataset = session.fromBlocks(table.blocks(session.allocator()))) {
                Fitted fitted = new Chain(parts).fit(dataset);
                List<Row> rows = Fitted.fromJson(fitted.toJson())
                        .transform(dataset)
                        .sort("id")
                        .takeAll();
                for (Term term : terms) {
                    compare(which, table.schema().type(term.column()), term, rows);
                }
            }
        }
    }

    private static void parts(OracleTable table, String column, List<Preprocessor> parts, List<Term> terms) {
        int index = table.schema().indexOf(column);
        DataType type = table.schema().type(column);
        boolean finite = table.rows().stream()
                .map(row -> row[index])
                .allMatch(value -> !(value instanceof Double number && Double.isInfinite(number))
                        && !(value instanceof Float single && Float.isInfinite(single)));
        boolean any = table.rows().stream()
                .map(row -> row[index])
                .anyMatch(value -> value != null
                        && !(value instanceof Double number && number.isNaN())
                        && !(value instanceof Float single && single.isNaN()));
        if (finite && (type.isNumeric() || type instanceof DataType.Decimal)) {
            String deviation = "(case when s < 1e-8 then 1 else s end)";
            String range = "(case when hi - lo < 1e-8 then 1 else hi - lo end)";
            String magnitude = "(case when a = 0 then 1 else a end)";
            String robust = "case when q3 = q1 then 0 else (x - q2) / (q3 - q1) end";
            add(
                    StandardScaler.of(column).into("standard " + column),
                    "(x - m) / " + deviation,
                    deviation,
                    parts,
                    terms);
            add(MinMaxScaler.of(column).into("range " + column), "(x - lo) / " + range, range, parts, terms);
            add(MaxAbsScaler.of(column).into("magnitude " + column), "x / " + magnitude, magnitude, parts, terms);
            add(RobustScaler.of(column).exactly().into("robust " + column), robust, "q3 - q1", parts, terms);
            add(SimpleImputer.mean(column).into("filled " + column), "coalesce(x, m)", "1", parts, terms);
        }
        boolean category = switch (type) {
            case DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Utf8 _,
                    DataType.Date _,
                    DataType.Dictionary _ -> true;
            default -> false;
        };
        if (category && any) {
            parts.add(OrdinalEncoder.of(column).allowMissing().into("number " + column));
            terms.add(new Term("number " + column, column, "n", ""));
            parts.add(OneHotEncoder.of(column).allowMissing().into("hot " + column));
            terms.add(new Term("hot " + column, column, "n", ""));
        }
    }

    private static void add(
            ColumnPreprocessor part, String sql, String divisor, List<Preprocessor> parts, List<Term> terms) {
        parts.add(part);
        terms.add(new Term(part.outputs().getFirst(), part.columns().getFirst(), sql, divisor));
    }

    private void compare(String which, DataType type, Term term, List<Row> rows) throws SQLException {
        boolean isFloat = type instanceof DataType.Float;
        String there = isFloat
                ? "case when isnan(" + term.column() + ") then null else " + term.column() + " end"
                : term.column();
        String sql = term.isExact()
                ? "with v as (select id, " + there + " y from t) select case when y is null then null else"
                        + " dense_rank() over (order by y nulls last) - 1 end, 1, 1 from v order by id"
                : "with v as (select id, (" + there + ")::double x from t), f as (select avg(x) m, stddev_pop(x) s,"
                        + " min(x) lo, max(x) hi, max(abs(x)) a, quantile_cont(x, 0.25) q1, quantile_cont(x, 0.5) q2,"
                        + " quantile_cont(x, 0.75) q3 from v) select " + term.sql() + ", " + term.divisor()
                        + ", a from v, f order by id";
        int at = 0;
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                Object ours = rows.get(at++).get(term.output());
                String where = which + ": '" + term.output() + "' in row " + (at - 1);
                double expected = result.getDouble(1);
                boolean missing = result.wasNull();
                if (ours instanceof List<?> list) {
                    ours = list.contains((short) 1) ? (Object) (long) list.indexOf((short) 1) : null;
                }
                if (missing) {
                    assertThat(ours == null || ours instanceof Double number && number.isNaN())
                            .as("%s: %s is missing", where, ours)
                            .isTrue();
                } else if (term.isExact()) {
                    assertThat(ours).as(where).isEqualTo((long) expected);
                } else {
                    double divisor = result.getDouble(2);
                    double largest = result.getDouble(3);
                    // Differences far below the values' own rounding mean nothing.
                    if (divisor == 1 || divisor > largest * 1e-10) {
                        double most = 1e-9 * (1 + Math.abs(expected)) + 1e-12 * largest / divisor;
                        assertThat((Double) ours).as(where).isBetween(expected - most, expected + most);
                    }
                }
            }
        }
        assertThat(rows).as(which).hasSize(at);
    }
}
