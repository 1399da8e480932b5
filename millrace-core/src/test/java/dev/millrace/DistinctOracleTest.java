package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.relation.SortKey;
import dev.millrace.testing.OracleTable;
import dev.millrace.testing.OracleValues;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Distinct rows, unique values and the first rows of a sort over random tables.
@Timeout(300)
class DistinctOracleTest extends DuckDbOracle {
    private static final long[] TARGETS = {300, 2_000, 128 << 20};

    int cases() {
        return Integer.getInteger("millrace.cases", 150);
    }

    @Override
    long[] targets() {
        return TARGETS.clone();
    }

    /// One random table as a dataset.
    private final class Case implements AutoCloseable {
        final Random random;
        final OracleTable table;
        final MaterializedDataset dataset;
        final String which;

        Case(long number) {
            this.random = new Random(seed + number);
            this.table = new OracleTable(random, random.nextInt(10) == 0 ? 3000 : 80);
            Session session = sessions.get(random.nextInt(sessions.size()));
            this.dataset = session.fromBlocks(table.blocks(session.allocator()));
            this.which = "seed " + seed + ", case " + number + ", " + table.schema();
        }

        List<String> someKeys() {
            List<String> keys = new ArrayList<>(table.keys());
            Collections.shuffle(keys, random);
            return keys.subList(0, 1 + random.nextInt(keys.size()));
        }

        List<Object> valuesOf(Row row, List<String> columns) {
            return columns.stream()
                    .map(column -> OracleValues.normal(row.get(column)))
                    .toList();
        }

        @Override
        public void close() {
            dataset.close();
        }
    }

    private long number(String sql) throws SQLException {
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    private Set<Long> ids(String sql) throws SQLException {
        Set<Long> ids = new HashSet<>();
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                ids.add(result.getLong(1));
            }
        }
        return ids;
    }

    @Test
    void distinctOfAllColumnsHasDuckDbsRows() throws Exception {
        for (long number = 0; number < cases(); number++) {
            try (Case one = new Case(number)) {
                one.table.load(duck, "t");
                List<String> keys = one.someKeys();
                boolean known = one.random.nextBoolean();
                Dataset chosen = one.dataset.select(keys.toArray(String[]::new));
                // Behind a function nobody knows the columns before they come.
                List<Row> rows = (known ? chosen : chosen.mapBatches(batch -> batch))
                        .distinct()
                        .takeAll();
                Set<List<Object>> different = new HashSet<>();
                rows.forEach(row -> assertThat(different.add(one.valuesOf(row, keys)))
                        .as(one.which)
                        .isTrue());
                assertThat(rows).as(one.which).hasSize((int)
                        number("select count(*) from (select distinct " + String.join(", ", keys) + " from t)"));
                Set<List<Object>> all = new HashSet<>();
                one.dataset.takeAll().forEach(row -> all.add(one.valuesOf(row, keys)));
                assertThat(different).as(one.which).isEqualTo(all);
            }
        }
    }

    @Test
    void distinctByColumnsKeepsTheFirstRow() throws Exception {
        for (long number = 0; number < cases(); number++) {
            try (Case one = new Case(number)) {
                one.table.load(duck, "t");
                List<String> keys = one.someKeys();
                List<Row> rows =
                        one.dataset.distinct(keys.toArray(String[]::new)).takeAll();
                Map<Long, Row> byId = new HashMap<>();
                rows.forEach(row -> byId.put(row.getLong("id"), row));
                assertThat(rows).as(one.which).hasSize(byId.size());
                assertThat(byId.keySet())
                        .as("%s by %s", one.which, keys)
                        .isEqualTo(ids("select min(id) from t group by " + String.join(", ", keys)));
                for (Row row : one.dataset.takeAll()) {
                    Row kept = byId.get(row.getLong("id"));
                    assertThat(kept == null ? row : kept).as(one.which).isEqualTo(row);
                }
            }
        }
    }

    @Test
    void uniqueHasEveryValueOnce() {
        for (long number = 0; number < cases() / 4; number++) {
            try (Case one = new Case(number)) {
                String column = one.someKeys().getFirst();
                Set<Object> values = new HashSet<>();
                for (Object value : one.dataset.unique(column)) {
                    assertThat(values.add(OracleValues.normal(value)))
                            .as(one.which)
                            .isTrue();
                }
                Set<Object> all = new HashSet<>();
                one.dataset.takeAll().forEach(row -> all.add(OracleValues.normal(row.get(column))));
                assertThat(values).as(one.which).isEqualTo(all);
            }
        }
    }

    @Test
    void theFirstRowsOfASortAreThoseOfTheWholeOne() {
        for (long number = 0; number < cases(); number++) {
            try (Case one = new Case(number)) {
                SortKey[] keys = one.someKeys().stream()
                        .map(key -> new SortKey(key, one.random.nextBoolean()))
                        .toArray(SortKey[]::new);
                List<Row> sorted = one.dataset.sort(keys).takeAll();
                int offset = one.random.nextInt(3) == 0 ? one.random.nextInt(20) : 0;
                int limit = one.random.nextInt(8) == 0 ? 1000 : one.random.nextInt(30);
                Dataset top = one.dataset.sort(keys).offset(offset).limit(limit);
                assertThat(top.explain()).contains("TopRows[" + (offset + limit) + " by ");
                assertThat(top.takeAll())
                        .as("%s %s", one.which, List.of(keys))
                        .isEqualTo(sorted.subList(
                                Math.min(offset, sorted.size()), Math.min(offset + limit, sorted.size())));
            }
        }
    }
}
