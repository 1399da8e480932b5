package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.when;
import static dev.millrace.window.WindowFunctions.denseRank;
import static dev.millrace.window.WindowFunctions.firstValue;
import static dev.millrace.window.WindowFunctions.lag;
import static dev.millrace.window.WindowFunctions.lead;
import static dev.millrace.window.WindowFunctions.moving;
import static dev.millrace.window.WindowFunctions.rank;
import static dev.millrace.window.WindowFunctions.rowNumber;
import static dev.millrace.window.WindowFunctions.running;
import static dev.millrace.window.WindowFunctions.total;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.relation.SortKey;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Partitions by keys that are larger than the session's memory.
@Timeout(120)
class WindowSkewTest {
    private static final long LIMIT = 24L << 20;
    private static final long ROWS = 600_000;
    private static final long MANY_ROWS = 2_000_000;

    private final Session session = open(LIMIT);

    private static Session open(long limit) {
        return Session.builder()
                .limits(ResourceLimits.DEFAULT.withSlots(2).withMemory(limit))
                .progress(ProgressSettings.OFF)
                .open();
    }

    @AfterEach
    void theBoundHeldAndNothingIsLeft() {
        assertThat(session.running()).isEmpty();
        assertThat(session.allocator().peakBytes()).isLessThanOrEqualTo(LIMIT);
        assertThat(session.allocator().heldBytes()).isZero();
        session.close();
    }

    /// Four rows of five have one key, the others one of two hundred.
    private static Dataset rows(Session in, long count) {
        return in.range(count)
                .withColumn(
                        "k",
                        when(col("id").mod(5).ne(0))
                                .then(1L)
                                .otherwise(col("id").mod(1000L).plus(10)))
                .withColumn("time", col("id").times(7919L).mod(100_003L))
                .withColumn("v", col("id").mod(97L).times(0.5));
    }

    private static Row checksum(Dataset windowed, WindowFunction... functions) {
        Dataset sums = windowed;
        for (WindowFunction function : functions) {
            // A value that moved to another row shows.
            sums = sums.withColumn(
                    "sum " + function.name(),
                    col(function.name()).times(col("id").mod(1009L).plus(1)));
        }
        List<Aggregate> all = new ArrayList<>(List.of(count()));
        for (WindowFunction function : functions) {
            all.add(sum("sum " + function.name()));
        }
        return sums.aggregate(all.toArray(Aggregate[]::new)).takeAll().getFirst();
    }

    private static WindowFunction[] functions() {
        return new WindowFunction[] {
            rowNumber().as("n"),
            rank().as("r"),
            denseRank().as("d"),
            lag("id", 3, -1L).as("before"),
            lead("id", 2, -1L).as("after"),
            running(sum("v")).as("so far"),
            moving(sum("v"), 5, 0).as("near"),
            total(count()).as("all"),
            total(max("time")).as("last")
        };
    }

    @Test
    void aKeyWithMoreRowsThanMemoryPassesBy() {
        Window window = Window.partitionBy("k").orderBy(SortKey.descending("time"), SortKey.ascending("id"));
        Row small = checksum(rows(session, ROWS).window(window, functions()), functions());
        try (Session large = open(1L << 30)) {
            Row expected = checksum(rows(large, ROWS).window(window, functions()), functions());
            assertThat(small.toString()).isEqualTo(expected.toString());
        }
    }

    @Test
    void withoutAnOrderRowsComeAsTheyAre() {
        WindowFunction[] functions = {
            rowNumber().as("n"), lag("id", 1, -1L).as("before"), total(sum("v")).as("all")
        };
        Window window = Window.partitionBy("k");
        Row small = checksum(rows(session, ROWS).window(window, functions), functions);
        try (Session large = open(1L << 30)) {
            Row expected = checksum(rows(large, ROWS).window(window, functions), functions);
            assertThat(small.toString()).isEqualTo(expected.toString());
        }
    }

    @Test
    void aFunctionThatNeedsTheWholePartitionSaysSo() {
        Dataset windowed = rows(session, MANY_ROWS)
                .window(Window.partitionBy("k").orderBy("id"), firstValue("v").as("first"));
        assertThatThrownBy(() -> windowed.sum("first"))
                .hasMessageContaining("window: the partition k = 1 has 1600000 rows, which do not fit into memory, and"
                        + " [firstValue(v)] need all of them there. Row numbers, ranks, lag, lead, running"
                        + " aggregates,");
    }
}
