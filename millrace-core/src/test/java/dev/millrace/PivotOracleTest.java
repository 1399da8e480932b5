package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.testing.OracleTable;
import dev.millrace.testing.OracleValues;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pivots of random tables against DuckDB's filtered aggregates, and unpivots against the rows they are made of.
@Timeout(300)
class PivotOracleTest extends DuckDbOracle {
    private static final long[] TARGETS = {300, 2_000, 128 << 20};

    int cases() {
        return Integer.getInteger("millrace.cases", 200);
    }

    @Override
    long[] targets() {
        return TARGETS.clone();
    }

    /// An aggregate of ours and DuckDB's way to say it.
    private record Term(Aggregate aggregate, DataType type, String sql) {}

    private static List<Term> someTerms(Random random, OracleTable table) {
        List<Term> terms = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            String column =
                    table.schema().names().get(random.nextInt(table.schema().size()));
            DataType type = table.schema().type(column);
            terms.add(
                    switch (random.nextInt(5)) {
                        case 0 -> new Term(Aggregates.count(), DataType.INT64, "count(*)");
                        case 1 -> new Term(Aggregates.min(column), type, "min(" + column + ")");
                        case 2 -> new Term(Aggregates.sum("id"), DataType.INT64, "sum(id)");
                        case 3 ->
                            new Term(
                                    Aggregates.countDistinct(column), DataType.INT64, "count(distinct " + column + ")");
                        default -> new Term(Aggregates.first(column), type, "first(" + column + " order by id)");
                    });
        }
        return terms.stream().distinct().toList();
    }

    /// Some of the values of a column, each once, and perhaps null.
    private static List<Object> someValues(Random random, OracleTable table, String column) {
        Map<Object, Object> values = new LinkedHashMap<>();
        for (Object[] row : table.rows()) {
            Object value = row[table.schema().indexOf(column)];
            if (value != null && random.nextInt(3) > 0 && values.size() < 12) {
                values.putIfAbsent(OracleValues.normal(value), value);
            }
        }
        List<Object> chosen = new ArrayList<>(values.values());
        if (random.nextBoolean() || chosen.isEmpty()) {
            chosen.add(null);
        }
        return chosen;
    }

    @Test
    void pivotsAreDuckDbsFilteredAggregates() throws Exception {
        for (long number = 0; number < cases(); number++) {
            Random random = new Random(seed + number);
            OracleTable table = new OracleTable(random, random.nextInt(10) == 0 ? 2000 : 80);
            List<String> keys = new ArrayList<>(table.schema().names());
            Collections.shuffle(keys, random);
            String column = keys.removeFirst();
            keys = keys.subList(0, 1 + random.nextInt(keys.size()));
            List<Object> values = someValues(random, table, column);
            List<Term> terms = someTerms(random, table);
            Session session = sessions.get(random.nextInt(sessions.size()));
            String which = "seed " + seed + ", case " + number + ", " + table.schema() + " by " + keys + " on " + column
                    + " " + values;
            table.load(duck, "t");
            try (MaterializedDataset dataset = session.fromBlocks(table.blocks(session.allocator()))) {
                Dataset pivoted = dataset.groupBy(keys.toArray(String[]::new))
                        .pivot(
                                column,
                                values,
                                terms.stream().map(Term::aggregate).toArray(Aggregate[]::new));
                compare(which, pivoted.takeAll(), table, keys, column, values, terms);
            }
        }
    }

    private void compare(
            String which,
            List<Row> rows,
            OracleTable table,
            List<String> keys,
            String column,
            List<Object> values,
            List<Term> terms)
            throws Exception {
        Map<List<Object>, Row> byKey = new HashMap<>();
        for (Row row : rows) {
            List<Object> key = keys.stream()
                    .map(name -> OracleValues.normal(row.get(name)))
                    .toList();
            assertThat(byKey.put(key, row)).as(which).isNull();
        }
        List<String> columns = new ArrayList<>(keys);
        String type = OracleTable.sqlType(table.schema().type(column));
        for (Object value : values) {
            String literal = value == null ? "null" : "'" + value.toString().replace("'", "''") + "'::" + type;
            terms.forEach(term ->
                    columns.add(term.sql() + " filter (where " + column + " is not distinct from " + literal + ")"));
        }
        String by = String.join(", ", keys);
        int groups = 0;
        try (Statement statement = duck.createStatement();
                ResultSet result =
                        statement.executeQuery("select " + String.join(", ", columns) + " from t group by " + by)) {
            while (result.next()) {
                groups++;
                List<Object> key = new ArrayList<>();
                for (int i = 0; i < keys.size(); i++) {
                    key.add(OracleValues.normal(
                            OracleValues.of(result, i + 1, table.schema().type(keys.get(i)))));
                }
                Row row = byKey.get(key);
                assertThat(row).as("%s: %s", which, key).isNotNull();
                int at = keys.size();
                for (Object value : values) {
                    for (Term term : terms) {
                        String name = terms.size() == 1
                                ? String.valueOf(value)
                                : value + "_" + term.aggregate().name();
                        Object theirs = OracleValues.of(result, ++at, term.type());
                        assertThat(OracleValues.normal(row.get(name)))
                                .as("%s: %s of %s", which, name, key)
                                .isEqualTo(OracleValues.normal(theirs));
                    }
                }
            }
        }
        assertThat(rows).as(which).hasSize(groups);
    }

    @Test
    void pivotFindsTheValuesByItself() {
        Session session = sessions.getFirst();
        record Trip(String zone, Long year) {}
        List<Trip> rows =
                List.of(new Trip("a", 2025L), new Trip("a", 2024L), new Trip("b", 2025L), new Trip("b", null));
        try (MaterializedDataset trips = session.items(rows).materialize()) {
            assertThat(trips.groupBy("zone")
                            .pivot("year", Aggregates.count())
                            .sort("zone")
                            .takeAll())
                    .extracting(Row::toString)
                    .containsExactly("{zone: a, 2024: 1, 2025: 1}", "{zone: b, 2024: 0, 2025: 1}");
            assertThatThrownBy(() -> trips.groupBy("zone").pivot("year", List.of(1, 1L), Aggregates.count()))
                    .hasMessageContaining("pivot: a value comes twice, of [1, 1].");
            assertThatThrownBy(() -> trips.groupBy("zone").pivot("year", List.of("x"), Aggregates.count()))
                    .hasMessageContaining("int64");
            assertThatThrownBy(() -> trips.groupBy("zone").pivot("zone", List.of("x"), Aggregates.count()))
                    .hasMessageContaining("the column 'zone' would come twice");
            assertThatThrownBy(() -> trips.unpivot("zone", "year"))
                    .hasMessageContaining(
                            "unpivot: the column 'year' is int64, and those before it are utf8, which have no type in"
                                    + " common. Cast them first.");
        }
    }

    private static final List<List<DataType>> ALIKE = List.of(
            List.of(DataType.INT8, DataType.INT32, DataType.INT64),
            List.of(DataType.FLOAT32, DataType.FLOAT64),
            List.of(DataType.UTF8, DataType.UTF8),
            List.of(DataType.DATE, DataType.DATE, DataType.DATE),
            List.of(DataType.decimal(12, 2)));

    @Test
    void unpivotHasOneRowForEachColumn() {
        for (long number = 0; number < cases(); number++) {
            Random random = new Random(seed + number);
            List<Field> fields = new ArrayList<>(List.of(new Field("id", DataType.INT64)));
            List<String> columns = new ArrayList<>();
            for (DataType type : ALIKE.get(random.nextInt(ALIKE.size()))) {
                columns.add("c" + columns.size());
                fields.add(new Field(columns.getLast(), type));
            }
            fields.add(1 + random.nextInt(fields.size()), new Field("kept", DataType.UTF8));
            OracleTable table = new OracleTable(random, Schema.of(fields), random.nextInt(60));
            Session session = sessions.get(random.nextInt(sessions.size()));
            Collections.shuffle(columns, random);
            List<List<Object>> expected = new ArrayList<>();
            for (Object[] row : table.rows()) {
                for (String column : columns) {
                    expected.add(List.of(
                            row[0],
                            OracleValues.normal(row[table.schema().indexOf("kept")]),
                            column,
                            OracleValues.normal(row[table.schema().indexOf(column)])));
                }
            }
            String which = "seed " + seed + ", case " + number + ", " + table.schema() + " " + columns;
            try (MaterializedDataset dataset = session.fromBlocks(table.blocks(session.allocator()))) {
                Dataset unpivoted = dataset.unpivot(columns, "of", "v");
                assertThat(unpivoted.columns()).as(which).containsExactly("id", "kept", "of", "v");
                List<List<Object>> rows = new ArrayList<>();
                unpivoted
                        .takeAll()
                        .forEach(row -> rows.add(List.of(
                                row.getLong("id"),
                                OracleValues.normal(row.get("kept")),
                                row.getString("of"),
                                OracleValues.normal(row.get("v")))));
                assertThat(rows).as(which).isEqualTo(expected);
                assertThat(unpivoted.count()).isEqualTo(expected.size());
                assertThat(unpivoted.select("of").takeAll()).hasSize(expected.size());
            }
        }
    }
}
