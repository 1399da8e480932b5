package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.relation.SortKey;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.testing.OracleTable;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Shuffles of random tables against DuckDB, with blocks, bundles and parts of a few rows up to all rows.
@Timeout(300)
class ShuffleOracleTest extends DuckDbOracle {
    private static final long[] TARGETS = {300, 2_000, 20_000, 128 << 20};

    private final int cases = Integer.getInteger("millrace.cases", 800);
    /// Whose parts soon are too large for one block.
    private final List<Session> merging = new ArrayList<>();

    @Override
    long[] targets() {
        return TARGETS.clone();
    }

    @BeforeAll
    void openMerging() {
        for (long target : TARGETS) {
            merging.add(open(target, target));
        }
    }

    /// One random table as a dataset.
    private final class Case implements AutoCloseable {
        final Random random;
        final OracleTable table;
        final Session session;
        final MaterializedDataset dataset;

        Case(long number, List<Session> sessions) {
            this.random = new Random(seed + number);
            this.table = new OracleTable(random, random.nextInt(20) == 0 ? 1000 : 80);
            this.session = sessions.get(random.nextInt(sessions.size()));
            List<Block> blocks = table.blocks(session.allocator());
            this.dataset = session.fromBlocks(blocks);
        }

        Map<Long, Row> rowsById() {
            return byId(dataset.takeAll());
        }

        @Override
        public void close() {
            dataset.close();
        }
    }

    private static Map<Long, Row> byId(List<Row> rows) {
        Map<Long, Row> byId = new HashMap<>();
        rows.forEach(row -> assertThat(byId.put(row.getLong("id"), row)).isNull());
        return byId;
    }

    private static List<Long> ids(List<Row> rows) {
        return rows.stream().map(row -> row.getLong("id")).toList();
    }

    @Test
    void sortIsDuckDbsOrderBy() throws Exception {
        for (long number = 0; number < cases; number++) {
            try (Case one = new Case(number, number % 2 == 0 ? sessions : merging)) {
                List<String> names = new ArrayList<>(one.table.keys());
                Collections.shuffle(names, one.random);
                List<SortKey> keys = new ArrayList<>();
                for (String name : names.subList(0, 1 + one.random.nextInt(names.size()))) {
                    keys.add(new SortKey(name, one.random.nextBoolean()));
                }
                one.table.load(duck, "t");
                List<Row> sorted =
                        one.dataset.sort(keys.toArray(SortKey[]::new)).takeAll();
                assertThat(ids(sorted))
                        .as("seed %d, case %d, %s by %s", seed, number, one.table.schema(), keys)
                        .isEqualTo(order(one.table.schema(), keys));
                assertThat(byId(sorted)).isEqualTo(one.rowsById());
            }
        }
    }

    /// DuckDB puts NaN first when it descends; stable, as we are, it is by the row's number.
    private List<Long> order(Schema schema, List<SortKey> keys) throws Exception {
        List<String> terms = new ArrayList<>();
        for (SortKey key : keys) {
            String column = key.column();
            if (schema.type(column) instanceof DataType.Float) {
                terms.add("(case when " + column + " is null then 2 when isnan(" + column + ") then 1 else 0 end)");
            }
            terms.add(column + (key.isDescending() ? " desc" : "") + " nulls last");
        }
        List<Long> ids = new ArrayList<>();
        try (Statement statement = duck.createStatement();
                ResultSet result =
                        statement.executeQuery("select id from t order by " + String.join(", ", terms) + ", id")) {
            while (result.next()) {
                ids.add(result.getLong(1));
            }
        }
        return ids;
    }

    @Test
    void equalKeysShareABlockAfterSortAndRepartition() {
        for (long number = 0; number < cases / 4; number++) {
            try (Case one = new Case(number, sessions)) {
                String key = one.table.keys().getFirst();
                List<List<Object>> sorted = blocks(one.session, one.dataset.sort(key), key);
                assertOneBlockEach(sorted, "seed " + seed + ", case " + number);
                int parts = 1 + one.random.nextInt(9);
                Dataset hashed = one.dataset.repartition(parts, key);
                List<List<Object>> clustered = blocks(one.session, hashed, key);
                assertThat(clustered).hasSize(parts);
                assertOneBlockEach(clustered, "seed " + seed + ", case " + number);
                assertThat(byId(hashed.takeAll())).isEqualTo(one.rowsById());
            }
        }
    }

    private static void assertOneBlockEach(List<List<Object>> blocks, String which) {
        Map<Object, Integer> blockOf = new HashMap<>();
        for (int i = 0; i < blocks.size(); i++) {
            for (Object key : blocks.get(i)) {
                Object normal = key instanceof Double number
                        ? (Object) (number + 0.0)
                        : key instanceof Float number ? (Object) (number + 0.0f) : key;
                assertThat(blockOf.putIfAbsent(normal, i))
                        .as("%s: %s", which, key)
                        .isIn(null, i);
            }
        }
    }

    private static List<List<Object>> blocks(Session session, Dataset dataset, String column) {
        List<List<Object>> values = new ArrayList<>();
        try (MaterializedDataset kept = dataset.materialize()) {
            for (BlockSlice slice : kept.blockReferences()) {
                try (Block block = session.executions().runtime().get(slice)) {
                    List<Object> ofBlock = new ArrayList<>();
                    for (long row = 0; row < block.rows(); row++) {
                        ofBlock.add(block.column(column).value(row));
                    }
                    values.add(ofBlock);
                }
            }
        }
        return values;
    }

    @Test
    void shufflesAndRepartitionsKeepTheRows() {
        for (long number = 0; number < cases / 4; number++) {
            try (Case one = new Case(number, sessions)) {
                String which = "seed " + seed + ", case " + number;
                Map<Long, Row> rows = one.rowsById();
                List<Row> shuffled = one.dataset.randomShuffle(number).takeAll();
                assertThat(byId(shuffled)).as(which).isEqualTo(rows);
                List<Long> inOrder = ids(one.dataset.takeAll());
                try (MaterializedDataset other = sessions.getLast()
                        .fromBlocks(one.table.blocks(sessions.getLast().allocator()))) {
                    assertThat(ids(other.randomShuffle(number).takeAll()))
                            .as(which)
                            .isEqualTo(ids(shuffled));
                }
                int parts = 1 + one.random.nextInt(9);
                List<List<Object>> even = blocks(one.session, one.dataset.repartition(parts), "id");
                assertThat(even.stream().flatMap(List::stream).toList())
                        .as(which)
                        .isEqualTo(inOrder);
                int least = even.stream().mapToInt(List::size).min().getAsInt();
                assertThat(even).hasSize(parts).allMatch(block -> block.size() - least <= 1);
                int size = 1 + one.random.nextInt(20);
                List<List<Object>> exact = blocks(one.session, one.dataset.repartitionRows(size, true), "id");
                assertThat(exact.stream().flatMap(List::stream).toList())
                        .as(which)
                        .isEqualTo(inOrder);
                for (int i = 0; i + 1 < exact.size(); i++) {
                    assertThat(exact.get(i)).as(which).hasSize(size);
                }
                List<List<Object>> cut = blocks(one.session, one.dataset.repartitionRows(size), "id");
                assertThat(cut.stream().flatMap(List::stream).toList())
                        .as(which)
                        .isEqualTo(inOrder);
                assertThat(cut).allMatch(block -> block.size() <= size);
                assertThat(byId(one.dataset.randomizeBlockOrder(number).takeAll()))
                        .as(which)
                        .isEqualTo(rows);
            }
        }
    }
}
