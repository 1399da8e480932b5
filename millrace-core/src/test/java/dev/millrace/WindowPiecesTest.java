package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.first;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;
import static dev.millrace.window.WindowFunctions.denseRank;
import static dev.millrace.window.WindowFunctions.lastValue;
import static dev.millrace.window.WindowFunctions.lead;
import static dev.millrace.window.WindowFunctions.over;
import static dev.millrace.window.WindowFunctions.rank;
import static dev.millrace.window.WindowFunctions.total;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Partitions that are in memory as a whole and computed in pieces: functions go on from one to the next. DuckDB says
/// what is right.
@Timeout(120)
class WindowPiecesTest {
    private static final long ROWS = 250_000;
    private static final long LIMIT = 1L << 30;

    private final Session session = open(LIMIT);

    private static Session open(long limit) {
        return Session.builder()
                .limits(ResourceLimits.DEFAULT.withSlots(2).withMemory(limit))
                .progress(ProgressSettings.OFF)
                .open();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(session.allocator().heldBytes()).isZero();
        session.close();
    }

    private static Dataset rows(Session in) {
        return in.range(ROWS)
                .withColumn("g", when(col("id").mod(11L).eq(0)).then(1L).otherwise(0L))
                .withColumn("t", col("id").times(7919L).mod(30_011L))
                .withColumn(
                        "v",
                        when(col("id").mod(7L).eq(3))
                                .then(lit(null))
                                .otherwise(col("id").mod(1013L)))
                .withColumn("x", col("id").mod(977L).times(0.25));
    }

    private static final String ROWS_SQL = "(SELECT i AS id, CASE WHEN i % 11 = 0 THEN 1 ELSE 0 END AS g,"
            + " (i * 7919) % 30011 AS t, CASE WHEN i % 7 = 3 THEN NULL ELSE i % 1013 END AS v,"
            + " (i % 977) * 0.25::DOUBLE AS x FROM range(" + ROWS + ") r(i))";

    /// Functions and what they are in SQL.
    private static Map<WindowFunction, String> functions() {
        Map<WindowFunction, String> functions = new LinkedHashMap<>();
        String rest = " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING";
        String wide = " ROWS BETWEEN 70000 PRECEDING AND 10 PRECEDING";
        Frame open = Frame.rows(0, Frame.UNBOUNDED_FOLLOWING);
        functions.put(over(sum("v"), open), "sum(v)|" + rest);
        functions.put(over(sum("x"), open), "sum(x)|" + rest);
        functions.put(over(mean("x"), Frame.rows(-70_000, -10)), "avg(x)|" + wide);
        functions.put(over(min("v"), Frame.rows(-70_000, -10)), "min(v)|" + wide);
        functions.put(over(sum("v"), Frame.rows(-70_000, -10)), "sum(v)|" + wide);
        functions.put(over(count(), Frame.rows(-70_000, -10)), "count(*)|" + wide);
        functions.put(over(max("v"), Frame.values(-5, 5)), "max(v)|t RANGE BETWEEN 5 PRECEDING AND 5 FOLLOWING");
        functions.put(over(sum("x"), Frame.values(-500, 0)), "sum(x)|t RANGE BETWEEN 500 PRECEDING AND CURRENT ROW");
        functions.put(over(sum("v"), Frame.runningWithPeers()), "sum(v)|t RANGE UNBOUNDED PRECEDING");
        functions.put(lead("v", 66_000), "lead(v, 66000)|");
        functions.put(rank(), "rank()|t");
        functions.put(denseRank(), "dense_rank()|t");
        functions.put(total(max("v")), "max(v)|none");
        functions.put(lastValue("v").over(open), "last_value(v)|" + rest);
        functions.put(
                lastValue("v").over(Frame.rows(-70_000, -10)).ignoreNulls(), "last_value(v IGNORE NULLS)|" + wide);
        functions.put(over(first("v"), Frame.rows(-70_000, -10)), "first_value(v)|" + wide);
        return functions;
    }

    /// Where equal rows may come in any order, the number of the row decides.
    private static String sqlOver(String sql, String partition) {
        String[] parts = sql.split("\\|", -1);
        String frame = parts[1];
        String order = frame.startsWith("t") ? " ORDER BY t" + frame.substring(1) : " ORDER BY t, id" + frame;
        return parts[0] + " OVER (" + partition + ("none".equals(frame) ? "" : order) + ")";
    }

    @Test
    void everyFunctionGoesOnFromPieceToPiece() throws Exception {
        for (String partition : List.of("", "PARTITION BY g")) {
            for (Map.Entry<WindowFunction, String> entry : functions().entrySet()) {
                boolean byValue = entry.getValue().contains("|t");
                Window window = partition.isEmpty() ? Window.whole() : Window.partitionBy("g");
                Window ordered = byValue ? window.orderBy("t") : window.orderBy("t", "id");
                WindowFunction function = entry.getKey().as("w");
                double ours = checksum(rows(session).window(ordered, all(function)));
                double theirs = duckDb("SELECT sum(w::DOUBLE * (id % 1009 + 1)) FROM (SELECT id, "
                        + sqlOver(entry.getValue(), partition) + " AS w FROM " + ROWS_SQL + ")");
                assertThat(ours)
                        .as(entry.getValue() + " " + partition)
                        .isCloseTo(theirs, within(Math.abs(theirs) * 1e-9));
            }
        }
    }

    /// With one that cannot stream, so that the partition is in memory as a whole.
    private static WindowFunction[] all(WindowFunction function) {
        return new WindowFunction[] {
            function, over(sum("x"), Frame.rows(0, Frame.UNBOUNDED_FOLLOWING)).as("whole")
        };
    }

    private static double checksum(Dataset windowed) {
        List<Aggregate> sums = new ArrayList<>(List.of(Aggregates.sum("c"), Aggregates.sum("whole")));
        return ((Number) windowed.withColumn(
                                "c",
                                col("w").times(col("id").mod(1009L).plus(1)).times(1.0))
                        .aggregate(sums.toArray(Aggregate[]::new))
                        .takeAll()
                        .getFirst()
                        .get("sum(c)"))
                .doubleValue();
    }

    private static double duckDb(String query) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getDouble(1);
        }
    }

    @Test
    void allRowsAsOnePartitionThatDoesNotFitIsAnErrorThatSaysWhatToDo() {
        try (Session small = open(24L << 20)) {
            Dataset windowed = small.range(2_000_000)
                    .window(
                            Window.whole().orderBy("id"),
                            over(sum("id"), Frame.rows(0, Frame.UNBOUNDED_FOLLOWING))
                                    .as("rest"));
            assertThatThrownBy(() -> windowed.sum("rest"))
                    .hasMessageContaining("window: all 2000000 rows are one partition, which does not fit into memory,")
                    .hasMessageContaining("give the session more memory, or partition by some columns.");
            assertThat(small.allocator().peakBytes()).isLessThanOrEqualTo(24L << 20);
        }
    }
}
