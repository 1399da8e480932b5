package dev.millrace;

import static dev.millrace.aggregate.Aggregates.approximateCountDistinct;
import static dev.millrace.aggregate.Aggregates.approximateQuantiles;
import static dev.millrace.aggregate.Aggregates.approximateTopK;
import static dev.millrace.aggregate.Aggregates.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Approximate aggregates of more values than they keep, within the errors that they state, against DuckDB's exact
/// answers.
@Timeout(300)
class SketchOracleTest extends DuckDbOracle {
    private static final int ROWS = 100_000;
    private static final double[] QUANTILES = {0, 0.01, 0.25, 0.5, 0.75, 0.99, 1};

    int cases() {
        return Integer.getInteger("millrace.cases", 24);
    }

    @Override
    long[] targets() {
        return new long[] {20_000, 128 << 20};
    }

    /// Values by group in a distribution of the case's own.
    private static long[][] rows(Random random, int groups) {
        long[][] rows = new long[2][ROWS];
        int shape = random.nextInt(4);
        long range = 1L << 4 + random.nextInt(20);
        for (int i = 0; i < ROWS; i++) {
            rows[0][i] = random.nextInt(4) == 0 ? 0 : random.nextInt(groups);
            rows[1][i] = switch (shape) {
                case 0 -> i;
                case 1 -> random.nextLong(range);
                case 2 -> (long) (range * Math.pow(random.nextDouble(), 6));
                default -> ROWS - i + random.nextLong(range) / 16;
            };
        }
        return rows;
    }

    @Test
    void sketchesKeepTheErrorsTheyState() throws Exception {
        double worstDistinct = 0;
        double squares = 0;
        double worstRank = 0;
        int sketches = 0;
        int ranks = 0;
        int farRanks = 0;
        for (long number = 0; number < cases(); number++) {
            Random random = new Random(seed + number);
            int groups = 1 + random.nextInt(6);
            long[][] rows = rows(random, groups);
            load(rows);
            Session session = sessions.get(random.nextInt(sessions.size()));
            Map<Object, Row> byGroup = new HashMap<>();
            try (MaterializedDataset dataset = session.fromBlocks(blocks(session.allocator(), random, rows))) {
                for (Row row : dataset.groupBy("g")
                        .aggregate(
                                count(),
                                approximateCountDistinct("v").as("distinct"),
                                approximateQuantiles("v", QUANTILES).as("quantiles"),
                                approximateTopK("v", 10).as("top"))
                        .takeAll()) {
                    byGroup.put(row.get("g"), row);
                }
            }
            String which = "seed " + seed + ", case " + number;
            try (Statement statement = duck.createStatement();
                    ResultSet result = statement.executeQuery(
                            "select g, count(*), count(distinct v), min(v), max(v) from t group by g")) {
                while (result.next()) {
                    Row row = byGroup.get(result.getLong(1));
                    long total = result.getLong(2);
                    double error = row.getLong("distinct") / (double) result.getLong(3) - 1;
                    worstDistinct = Math.max(worstDistinct, Math.abs(error));
                    squares += error * error;
                    sketches++;
                    List<?> quantiles = (List<?>) row.get("quantiles");
                    assertThat(quantiles.getFirst()).as(which).isEqualTo((double) result.getLong(4));
                    assertThat(quantiles.getLast()).as(which).isEqualTo((double) result.getLong(5));
                    for (int q = 1; q < QUANTILES.length - 1; q++) {
                        double far = rankError(result.getLong(1), (Double) quantiles.get(q), QUANTILES[q], total);
                        worstRank = Math.max(worstRank, far);
                        ranks++;
                        farRanks += far > 0.0025 ? 1 : 0;
                    }
                    compareTop(which, result.getLong(1), total, (List<?>) row.get("top"));
                }
            }
        }
        double standard = Math.sqrt(squares / sketches);
        System.out.printf(
                "distinct: worst %.4f, standard %.4f of %d; ranks: worst %.4f, %d of %d above 0.0025%n",
                worstDistinct, standard, sketches, worstRank, farRanks, ranks);
        assertThat(worstDistinct).isLessThan(0.035);
        assertThat(standard).isLessThan(0.0125);
        assertThat(worstRank).isLessThan(0.005);
        assertThat(farRanks).isLessThanOrEqualTo(2 + ranks / 50);
    }

    /// How far the asked rank is from those that the value has.
    private double rankError(long group, double value, double quantile, long total) throws Exception {
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery("select count(*) filter (v < " + value
                        + "), count(*) filter (v <= " + value + ") from t where g = " + group)) {
            result.next();
            double low = result.getLong(1) / (double) total;
            double high = result.getLong(2) / (double) total;
            return Math.max(0, Math.max(low - quantile, quantile - high));
        }
    }

    private void compareTop(String which, long group, long total, List<?> top) throws Exception {
        double most = total / (double) Aggregates.TOP_K_CAPACITY;
        Map<Double, Long> ours = new HashMap<>();
        for (Object entry : top) {
            Map<?, ?> fields = (Map<?, ?>) entry;
            ours.put((Double) fields.get("value"), (Long) fields.get("count"));
        }
        List<Long> exact = new ArrayList<>();
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(
                        "select v, count(*) n from t where g = " + group + " group by v order by n desc")) {
            while (result.next()) {
                long n = result.getLong(2);
                exact.add(n);
                Long count = ours.remove(result.getDouble(1));
                if (count != null) {
                    assertThat(count).as(which).isBetween((long) Math.floor(n - most), n);
                } else if (exact.size() <= 10) {
                    assertThat((double) n - ((Long) ((Map<?, ?>) top.getLast()).get("count")))
                            .as("%s: a value that comes %d times is missing", which, n)
                            .isLessThanOrEqualTo(most);
                }
            }
        }
        assertThat(ours).as(which).isEmpty();
    }

    private void load(long[][] rows) throws Exception {
        try (Statement statement = duck.createStatement()) {
            statement.execute("create or replace table t (g bigint, v double)");
        }
        try (DuckDBAppender appender =
                duck.unwrap(DuckDBConnection.class).createAppender(DuckDBConnection.DEFAULT_SCHEMA, "t")) {
            for (int i = 0; i < ROWS; i++) {
                appender.beginRow();
                appender.append(rows[0][i]);
                appender.append((double) rows[1][i]);
                appender.endRow();
            }
        }
    }

    private static List<Block> blocks(Allocator allocator, Random random, long[][] rows) {
        Schema schema = Schema.of(List.of(new Field("g", DataType.INT64), new Field("v", DataType.FLOAT64)));
        List<Block> blocks = new ArrayList<>();
        for (int from = 0; from < ROWS; ) {
            int end = Math.min(ROWS, from + 1 + random.nextInt(ROWS / 3));
            Column groups = Columns.ofLongs(allocator, Arrays.copyOfRange(rows[0], from, end));
            Column values = Columns.ofDoubles(
                    allocator,
                    Arrays.stream(rows[1], from, end).asDoubleStream().toArray());
            blocks.add(Block.of(schema, List.of(groups, values), end - from));
            from = end;
        }
        return blocks;
    }
}
