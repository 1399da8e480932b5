package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.countDistinct;
import static dev.millrace.aggregate.Aggregates.list;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.concat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.type.DataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Groups whose states are larger than the session's memory: they go to disk and come back, and the bound holds.
@Timeout(120)
class GroupByMemoryTest {
    private static final long LIMIT = 24L << 20;
    private static final long ROWS = 3_000_000;
    /// Twice in the rows each, far apart.
    private static final long GROUPS = ROWS / 2;

    private final Session session = Session.builder()
            .limits(ResourceLimits.DEFAULT.withSlots(2).withMemory(LIMIT))
            .progress(ProgressSettings.OFF)
            .open();

    @AfterEach
    void theBoundHeldAndNothingIsLeft() {
        assertThat(session.running()).isEmpty();
        assertThat(session.allocator().peakBytes()).isLessThanOrEqualTo(LIMIT);
        assertThat(session.allocator().heldBytes()).isZero();
        session.close();
    }

    @Test
    void numbersAsKeysInTheTasksThatMakeThem() {
        check(session.range(ROWS).withColumn("k", key()), "k", sum("id").as("s"), count().as("n"));
    }

    /// They are packed into few bits, so that it takes twice the rows until they do not fit.
    @Test
    void keysThatComeInOrder() {
        check(
                session.range(2 * ROWS).withColumn("k", col("id").intDiv(2L)),
                "k",
                sum("id").as("s"),
                count().as("n"));
    }

    @Test
    void textAsKey() {
        Dataset rows = session.range(ROWS / 4)
                .withColumn("k", concat("the group ", col("id").mod(GROUPS / 4).cast(DataType.UTF8)));
        check(rows, "k", sum("id").as("s"), count().as("n"));
    }

    @Test
    void aggregatesThatNeedAllRowsOfABundleAtOnce() {
        Dataset rows = session.range(ROWS / 2)
                .withColumn("k", col("id").mod(GROUPS / 2))
                .withColumn("t", concat("v", col("id").cast(DataType.UTF8)));
        check(rows, "k", sum("id").as("s"), count().as("n"), min("t"), max("t"));
    }

    @Test
    void differentValuesOfAllRowsNeedNotFit() {
        Dataset rows = session.range(ROWS)
                .withColumn("k", key())
                .withColumn("half", col("id").cast(DataType.FLOAT64));
        Row all = rows.aggregate(
                        count().as("n"),
                        countDistinct("k"),
                        countDistinct("id"),
                        sum("id").as("s"),
                        mean("half").as("m"),
                        min("k").as("least"),
                        max("id").as("largest"))
                .takeAll()
                .getFirst();
        assertThat(all)
                .isEqualTo(Row.of(
                        "n",
                        ROWS,
                        "countDistinct(k)",
                        GROUPS,
                        "countDistinct(id)",
                        ROWS,
                        "s",
                        ROWS * (ROWS - 1) / 2,
                        "m",
                        (ROWS - 1) / 2.0,
                        "least",
                        0L,
                        "largest",
                        ROWS - 1));
    }

    @Test
    void differentTextsOfAllRowsNeedNotFit() {
        Dataset rows = session.range(ROWS / 4)
                .withColumn(
                        "t",
                        concat(
                                "a text that is not short, number ",
                                col("id").mod(GROUPS / 4).cast(DataType.UTF8)));
        assertThat(rows.aggregate(countDistinct("t").as("n")).takeAll()).containsExactly(Row.of("n", GROUPS / 4));
    }

    @Test
    void aListOfAllRowsThatDoesNotFitIsRefusedWithASentence() {
        assertThatThrownBy(() -> session.range(2 * ROWS).aggregate(list("id")).takeAll())
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessageContaining("bytes");
    }

    private static Expression key() {
        return col("id").mod(GROUPS).times(7_919L);
    }

    private void check(Dataset rows, String key, Aggregate... aggregates) {
        long expected = rows.count();
        Row total = rows.groupBy(key)
                .aggregate(aggregates)
                .aggregate(count().as("groups"), sum("s").as("sum"), sum("n").as("rows"), max("n").as("most"))
                .takeAll()
                .getFirst();
        assertThat(total.get("groups")).isEqualTo(expected / 2);
        assertThat(total.get("rows")).isEqualTo(expected);
        assertThat(total.get("most")).isEqualTo(2L);
        assertThat(total.get("sum")).isEqualTo(expected * (expected - 1) / 2);
        assertThat(session.spillStats().spilledBytes()).isPositive();
    }
}
