package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.window.WindowFunctions.lag;
import static dev.millrace.window.WindowFunctions.rowNumber;
import static dev.millrace.window.WindowFunctions.running;
import static dev.millrace.window.WindowFunctions.total;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.relation.SortKey;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.window.Window;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// More rows than memory holds: 48 MB of it, and about 100 MB of rows before anything is computed.
@Timeout(120)
class WindowMemoryTest {
    private static final long LIMIT = 48L << 20;
    private static final long ROWS = 3_000_000;

    private final Session session = Session.builder()
            .limits(ResourceLimits.DEFAULT.withSlots(2).withMemory(LIMIT))
            .progress(ProgressSettings.OFF)
            .open();

    @AfterEach
    void theBoundHeldAndNothingIsLeft() {
        assertThat(session.allocator().heldBytes()).isZero();
        assertThat(session.allocator().peakBytes()).isLessThanOrEqualTo(LIMIT);
        session.close();
    }

    private Dataset rows() {
        return session.range(ROWS)
                .withColumn("key", col("id").mod(1000L))
                .withColumn("wide", col("id").plus(0.5))
                .withColumn("twice", col("id").times(2L));
    }

    @Test
    void aWindowOverAllRowsPassesByInPieces() {
        Dataset numbered = rows().window(
                        Window.whole().orderBy(SortKey.descending("id")),
                        rowNumber().as("n"),
                        lag("id").as("before"),
                        running(sum("id")).as("sum"),
                        total(max("id")).as("most"));
        long next = ROWS;
        long sum = 0;
        try (var batches = numbered.iterBatches(8192)) {
            while (batches.hasNext()) {
                Batch batch = batches.next();
                for (int i = 0; i < batch.rows(); i++) {
                    next--;
                    sum += next;
                    boolean right = batch.longs("id").get(i) == next
                            && batch.longs("n").get(i) == ROWS - next
                            && batch.longs("sum").get(i) == sum
                            && batch.longs("most").get(i) == ROWS - 1
                            && (next == ROWS - 1 || batch.longs("before").get(i) == next + 1);
                    if (!right) {
                        throw new AssertionError("row " + next);
                    }
                }
            }
        }
        assertThat(next).isZero();
        assertThat(session.spillStats().spilledBlocks()).isPositive();
    }

    @Test
    void partitionsThatFitAreComputedOneAfterTheOther() {
        Dataset windowed = rows().window(
                        Window.partitionBy("key").orderBy("id"),
                        running(count()).as("n"),
                        total(sum("id")).as("sum"));
        Dataset wrong = windowed.filter(
                col("n").ne(col("id").minus(col("key")).intDiv(1000L).plus(1L)));
        assertThat(wrong.count()).isZero();
        assertThat(windowed.aggregate(count(), max("n").as("most")).takeAll())
                .singleElement()
                .satisfies(row -> assertThat(row.getLong("most")).isEqualTo(ROWS / 1000));
    }

    @Test
    void distinctAndTheFirstRowsOfASortHoldFewRows() {
        assertThat(rows().distinct("key").count()).isEqualTo(1000);
        assertThat(rows().drop("key").distinct().count()).isEqualTo(ROWS);
        assertThat(rows().sort(SortKey.descending("wide")).take(3))
                .extracting(row -> row.getLong("id"))
                .containsExactly(ROWS - 1, ROWS - 2, ROWS - 3);
    }
}
