package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.testing.OracleTable;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Groups of random tables against DuckDB, with blocks, bundles and parts of a few rows up to all rows.
@Timeout(300)
class GroupByOracleTest extends DuckDbOracle {
    private static final long[] TARGETS = {300, 2_000, 128 << 20};

    int cases() {
        return Integer.getInteger("millrace.cases", 100);
    }

    @Override
    long[] targets() {
        return TARGETS.clone();
    }

    /// An aggregate of ours and DuckDB's way to say it.
    ///
    /// @param spread of float results: how far they may be apart is a small part of it
    private record Term(Aggregate aggregate, DataType type, String sql, String spread) {}

    @Test
    void groupsAreDuckDbs() throws Exception {
        for (long number = 0; number < cases(); number++) {
            Random random = new Random(seed + number);
            OracleTable table = new OracleTable(random, random.nextInt(10) == 0 ? 3000 : 80);
            List<String> keys = new ArrayList<>(table.keys());
            Collections.shuffle(keys, random);
            keys = keys.subList(0, random.nextInt(keys.size() + 1));
            List<Term> terms = new ArrayList<>();
            terms.add(new Term(Aggregates.min("id").as("#"), DataType.INT64, "min(id)", "0"));
            terms.add(new Term(Aggregates.count(), DataType.INT64, "count(*)", "0"));
            for (String column : table.schema().names()) {
                terms(table, column, terms);
            }
            if (random.nextBoolean()) {
                boolean alone = keys.isEmpty();
                terms.removeIf(term -> !goesOn(term, alone));
            }
            Session session = sessions.get(random.nextInt(sessions.size()));
            String which = "seed " + seed + ", case " + number + ", " + table.schema() + " by " + keys;
            Aggregate[] aggregates = terms.stream().map(Term::aggregate).toArray(Aggregate[]::new);
            table.load(duck, "t");
            try (MaterializedDataset dataset = session.fromBlocks(table.blocks(session.allocator()))) {
                Dataset input = random.nextBoolean()
                        ? dataset
                        : dataset.filter(col("id").ge(0));
                Dataset grouped = keys.isEmpty()
                        ? input.aggregate(aggregates)
                        : input.groupBy(keys.toArray(String[]::new)).aggregate(aggregates);
                List<Row> rows = grouped.takeAll();
                assertThat(grouped.takeAll()).as(which).isEqualTo(rows);
                compare(which, rows, keys, terms, table);
            }
        }
    }

    /// Whether states of this go on from block to block; where all do, rows are grouped in the tasks that make them.
    private static boolean goesOn(Term term, boolean alone) {
        return switch (term.aggregate().function()) {
            case COUNT, SUM, MEAN, STD, VARIANCE, MISSING_PERCENTAGE, ZERO_PERCENTAGE -> true;
            case APPROXIMATE_QUANTILE, APPROXIMATE_COUNT_DISTINCT -> alone;
            case MIN, MAX, ANY, ALL ->
                !(term.type() instanceof DataType.Utf8 || term.type() instanceof DataType.Binary);
            default -> false;
        };
    }

    private static void terms(OracleTable table, String column, List<Term> terms) {
        DataType type = table.schema().type(column);
        boolean number = type.isNumeric() || type instanceof DataType.Decimal;
        boolean wide = type.equals(DataType.INT64) || type.equals(DataType.UINT64);
        boolean finite = table.rows().stream()
                .map(row -> row[table.schema().indexOf(column)])
                .allMatch(value -> value == null
                        || !(type instanceof DataType.Float)
                        || Double.isFinite(((Number) value).doubleValue()));
        if (number && (!wide || column.equals("id"))) {
            DataType sum = type instanceof DataType.Float ? DataType.FLOAT64 : type;
            terms.add(new Term(Aggregates.sum(column), sum, "sum(" + column + ")", "sum(abs(" + column + "::double))"));
        }
        if (number) {
            String spread = "max(abs(" + column + "::double))";
            terms.add(new Term(Aggregates.mean(column), DataType.FLOAT64, "avg(" + column + "::double)", spread));
            terms.add(new Term(
                    Aggregates.zeroPercentage(column),
                    DataType.FLOAT64,
                    "count(*) filter (" + column + " = 0) / nullif(count(" + column + "), 0) * 100.0",
                    "100"));
            if (finite) {
                terms.add(new Term(
                        Aggregates.std(column, 0).as("all " + column),
                        DataType.FLOAT64,
                        "stddev_pop(" + column + "::double)",
                        spread));
                // Of few values it is exact.
                if (table.rows().size() < 800) {
                    terms.add(new Term(
                            Aggregates.approximateQuantile(column, 0.3).as("near " + column),
                            DataType.FLOAT64,
                            "list_sort(list(" + column + "::double) filter (" + column
                                    + " is not null))[least(count(" + column + "), floor(0.3 * count(" + column
                                    + ")) + 1)::int]",
                            spread));
                }
                String once =
                        "case count(" + column + ") when 1 then 'nan'::double else %s(" + column + "::double) end";
                terms.add(new Term(Aggregates.std(column), DataType.FLOAT64, once.formatted("stddev_samp"), spread));
                terms.add(new Term(
                        Aggregates.variance(column),
                        DataType.FLOAT64,
                        once.formatted("var_samp"),
                        spread + " * " + spread));
                terms.add(new Term(
                        Aggregates.quantile(column, 0.3),
                        DataType.FLOAT64,
                        "quantile_cont(" + column + "::double, 0.3)",
                        spread));
            }
        }
        if (type instanceof DataType.Bool) {
            terms.add(new Term(
                    Aggregates.countIf(column), DataType.INT64, "count(*) filter (where " + column + ")", "0"));
            terms.add(new Term(Aggregates.any(column), type, "bool_or(" + column + ")", "0"));
            terms.add(new Term(Aggregates.all(column), type, "bool_and(" + column + ")", "0"));
        }
        if (column.equals("id")) {
            terms.add(new Term(Aggregates.list(column), DataType.UTF8, "list(id order by id)::varchar", "0"));
            terms.add(new Term(Aggregates.set(column), DataType.UTF8, "list(id order by id)::varchar", "0"));
        }
        terms.add(new Term(
                Aggregates.missingPercentage(column),
                DataType.FLOAT64,
                "count(*) filter (" + column + " is null"
                        + (type instanceof DataType.Float ? " or isnan(" + column + ")" : "")
                        + ") / nullif(count(*), 0) * 100.0",
                "100"));
        terms.add(new Term(
                Aggregates.approximateCountDistinct(column).as("about " + column),
                DataType.INT64,
                "count(distinct " + column + ")",
                "0"));
        terms.add(new Term(Aggregates.count(column), DataType.INT64, "count(" + column + ")", "0"));
        terms.add(new Term(Aggregates.countDistinct(column), DataType.INT64, "count(distinct " + column + ")", "0"));
        terms.add(new Term(Aggregates.min(column), type, "min(" + column + ")", "0"));
        terms.add(new Term(Aggregates.max(column), type, "max(" + column + ")", "0"));
        terms.add(new Term(Aggregates.first(column), type, "first(" + column + " order by id)", "0"));
        terms.add(new Term(Aggregates.last(column), type, "last(" + column + " order by id)", "0"));
    }

    /// Every different value with its count, in the order of counts, of each group.
    @Test
    void valuesAreCountedAsDuckDbCountsThem() throws Exception {
        for (long number = 0; number < cases() / 4; number++) {
            Random random = new Random(seed + number);
            OracleTable table = new OracleTable(random, random.nextInt(10) == 0 ? 3000 : 80);
            String key = table.keys().get(random.nextInt(table.keys().size()));
            String which = "seed " + seed + ", case " + number + ", " + table.schema() + " by " + key;
            Session session = sessions.get(random.nextInt(sessions.size()));
            table.load(duck, "t");
            try (MaterializedDataset dataset = session.fromBlocks(table.blocks(session.allocator()))) {
                for (String column : table.schema().names()) {
                    Dataset grouped = dataset.groupBy(key)
                            .aggregate(
                                    Aggregates.min("id").as("#"),
                                    Aggregates.valueCounts(column).as("all"),
                                    Aggregates.approximateTopK(column, 3).as("top"));
                    compareCounts(which + ": " + column, grouped.takeAll(), key, column);
                    Dataset alone = dataset.filter(col("id").ge(0))
                            .aggregate(
                                    Aggregates.min("id").as("#"),
                                    Aggregates.valueCounts(column).as("all"));
                    compareCounts(which + ": " + column + " of all", alone.takeAll(), "'all'", column);
                }
            }
        }
    }

    private void compareCounts(String which, List<Row> rows, String key, String column) throws SQLException {
        Map<Object, Map<Long, Long>> expected = new HashMap<>();
        Map<Object, Long> present = new HashMap<>();
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery("with c as (select min(id) first, " + key + " k, " + column
                        + " v, count(*) n from t group by k, v) select (select min(id) from t where "
                        + (key.startsWith("'") ? "" : "t.") + key
                        + " is not distinct from c.k) id, n, v is not null from c")) {
            while (result.next()) {
                expected.computeIfAbsent(result.getLong(1), _ -> new HashMap<>())
                        .merge(result.getLong(2), 1L, Long::sum);
                present.merge(result.getLong(1), result.getBoolean(3) ? 1L : 0L, Long::sum);
            }
        }
        assertThat(rows).as(which).hasSize(key.equals("'all'") ? 1 : expected.size());
        for (Row row : expected.isEmpty() ? List.<Row>of() : rows) {
            List<Long> counts = counts((List<?>) row.get("all"), false);
            assertThat(counts).as(which).isSortedAccordingTo(Collections.reverseOrder());
            Map<Long, Long> ours = new HashMap<>();
            counts.forEach(count -> ours.merge(count, 1L, Long::sum));
            assertThat(ours).as(which).isEqualTo(expected.get(row.get("#")));
            if (!row.has("top")) {
                continue;
            }
            List<Long> top = row.get("top") == null ? List.of() : counts((List<?>) row.get("top"), false);
            List<Long> real = counts((List<?>) row.get("all"), true);
            assertThat(top).as(which).isEqualTo(real.subList(0, Math.min(3, real.size())));
            assertThat((long) real.size()).as(which).isEqualTo(present.get(row.get("#")));
        }
    }

    private static List<Long> counts(List<?> entries, boolean withoutNull) {
        List<Long> counts = new ArrayList<>();
        for (Object entry : entries) {
            Map<?, ?> fields = (Map<?, ?>) entry;
            if (!withoutNull || fields.get("value") != null) {
                counts.add((Long) fields.get("count"));
            }
        }
        return counts;
    }

    /// A group is known by the least id in it.
    private void compare(String which, List<Row> rows, List<String> keys, List<Term> terms, OracleTable table)
            throws SQLException {
        Map<Object, Row> byFirst = new HashMap<>();
        for (Row row : rows) {
            assertThat(byFirst.put(row.get("#"), row)).as(which).isNull();
        }
        List<String> columns = new ArrayList<>();
        terms.forEach(term -> columns.add(term.sql()));
        terms.forEach(term -> columns.add(term.spread()));
        String sql = "select " + String.join(", ", columns) + " from t"
                + (keys.isEmpty() ? "" : " group by " + String.join(", ", keys));
        int groups = 0;
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                groups++;
                Object first = result.getObject(1);
                Row row = byFirst.get(first);
                assertThat(row).as("%s: group of %s", which, first).isNotNull();
                for (String key : keys) {
                    Object value = table.rows()
                            .get(((Long) first).intValue())[table.schema().indexOf(key)];
                    assertThat(normal(row.get(key))).as("%s: %s", which, key).isEqualTo(normal(value));
                }
                for (int i = 0; i < terms.size(); i++) {
                    Term term = terms.get(i);
                    Object ours = row.get(term.aggregate().name());
                    String where = which + ": " + term.aggregate() + " of the group of " + first;
                    Object theirs = value(result, i + 1, term.type());
                    if (theirs instanceof Double expected
                            && Double.isFinite(expected)
                            && ours instanceof Double value) {
                        double spread = result.getDouble(terms.size() + i + 1);
                        assertThat(Math.abs(value - expected))
                                .as("%s: %s, not %s", where, value, expected)
                                .isLessThanOrEqualTo(spread * 1e-11);
                    } else {
                        assertThat(normal(ours)).as(where).isEqualTo(normal(theirs));
                    }
                }
            }
        }
        assertThat(rows).as(which).hasSize(groups);
    }

    private static Object value(ResultSet result, int column, DataType type) throws SQLException {
        Object value = switch (type) {
            case DataType.Date _ -> result.getObject(column, LocalDate.class);
            case DataType.Timestamp _ -> result.getObject(column, LocalDateTime.class);
            default -> result.getObject(column);
        };
        return result.wasNull() ? null : value;
    }

    /// Numbers by value, whatever they come as.
    private static Object normal(Object value) {
        return switch (value) {
            case null -> "null";
            case List<?> list when list.isEmpty() -> "null";
            case List<?> list -> list.toString();
            case Double number when !Double.isFinite(number) -> number;
            case Float number when !Float.isFinite(number) -> number.doubleValue();
            case Float number -> new BigDecimal(number.doubleValue()).stripTrailingZeros();
            case Double number -> new BigDecimal(number).stripTrailingZeros();
            case Number number -> new BigDecimal(number.toString()).stripTrailingZeros();
            default -> value;
        };
    }
}
