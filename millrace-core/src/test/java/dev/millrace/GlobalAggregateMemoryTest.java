package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.countDistinct;
import static dev.millrace.aggregate.Aggregates.list;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.mean;
import static dev.millrace.aggregate.Aggregates.min;
import static dev.millrace.aggregate.Aggregates.quantile;
import static dev.millrace.aggregate.Aggregates.set;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.aggregate.Aggregates.valueCounts;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.concat;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.batch.Row;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Exact aggregates over all rows, whose values are several times the session's memory: the bound holds, and only what
/// is itself the result has to fit.
@Timeout(120)
class GlobalAggregateMemoryTest {
    private static final long LIMIT = 24L << 20;
    private static final long ROWS = 4_000_000;
    /// Has no factor in common with any count of rows here.
    private static final long SPREAD = 7_919;

    private static final String LONG_TEXT = "a text that is not short, ".repeat(4);

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

    /// Every number below `rows` once, far from its neighbours.
    private Dataset scattered(long rows) {
        return session.range(rows).withColumn("x", col("id").times(SPREAD).mod(rows));
    }

    private Row one(Dataset dataset) {
        List<Row> rows = dataset.takeAll();
        assertThat(rows).hasSize(1);
        return rows.getFirst();
    }

    @Test
    void exactQuantilesOfAllRowsNeedNotFit() {
        Row all = one(scattered(ROWS)
                .aggregate(
                        quantile("x", 0.5).as("median"),
                        quantile("x", 0.99).as("high"),
                        quantile("x", 0).as("least"),
                        quantile("x", 1).as("greatest"),
                        quantile("x", 0.123_456_7).as("odd"),
                        count().as("n"),
                        mean("x").as("mean")));
        double last = ROWS - 1;
        assertThat(all.get("median")).isEqualTo(last / 2);
        assertThat(all.get("least")).isEqualTo(0.0);
        assertThat(all.get("greatest")).isEqualTo(last);
        assertThat((double) all.get("high")).isCloseTo(0.99 * last, within(1e-6));
        assertThat((double) all.get("odd")).isCloseTo(0.123_456_7 * last, within(1e-6));
        assertThat(all.get("n")).isEqualTo(ROWS);
        assertThat(all.get("mean")).isEqualTo(last / 2);
    }

    @Test
    void quantilesOfRowsThatAreAlmostAllAlikeNeedNotFit() {
        Dataset rows = scattered(ROWS)
                .withColumn(
                        "y",
                        when(col("x").lt(ROWS / 4))
                                .then(-1.5)
                                .when(col("x").lt(ROWS / 4 * 3))
                                .then(2.0)
                                .otherwise(col("x").cast(DataType.FLOAT64)));
        Row all = one(rows.aggregate(
                quantile("y", 0.1).as("a"),
                quantile("y", 0.25).as("b"),
                quantile("y", 0.5).as("c"),
                quantile("y", 0.7).as("d"),
                quantile("y", 1).as("e")));
        assertThat(all.get("a")).isEqualTo(-1.5);
        assertThat(all.get("b")).isEqualTo(-1.5 + 3.5 * (0.25 * (ROWS - 1) - (ROWS / 4 - 1)));
        assertThat(all.get("c")).isEqualTo(2.0);
        assertThat(all.get("d")).isEqualTo(2.0);
        assertThat(all.get("e")).isEqualTo(ROWS - 1.0);
    }

    @Test
    void differentValuesAndTheirCountsNeedTheirOwnMemoryAlone() {
        long values = 100_000;
        long all = 1_000_000;
        Dataset rows = session.range(all)
                .withColumn("k", col("id").times(SPREAD).mod(values))
                .withColumn("t", concat("text ", col("k").cast(DataType.UTF8)));
        Row row = one(rows.aggregate(
                set("k").as("set"),
                countDistinct("k").as("n"),
                countDistinct("t").as("texts"),
                sum("id").as("sum"),
                quantile("k", 0.5).as("median")));
        assertThat(row.get("set")
                        .equals(LongStream.range(0, values)
                                .mapToObj(i -> i * SPREAD % values)
                                .toList()))
                .isTrue();
        assertThat(row.get("n")).isEqualTo(values);
        assertThat(row.get("texts")).isEqualTo(values);
        assertThat(row.get("sum")).isEqualTo(all * (all - 1) / 2);
        assertThat(row.get("median")).isEqualTo((values - 1) / 2.0);
    }

    @Test
    void countsOfTextsNeedTheirOwnMemoryAlone() {
        long rows = 450_000;
        long values = 30_000;
        // The number 5 comes one time more than the others.
        Row all = one(session.range(rows + 1)
                .withColumn(
                        "t",
                        text(when(col("id").eq(rows))
                                .then(5L)
                                .otherwise(col("id").mod(values))))
                .aggregate(valueCounts("t").as("counts"), max("id").as("last")));
        List<Object> expected = new ArrayList<>();
        expected.add(Map.of("value", LONG_TEXT + 5, "count", 16L));
        for (int i = 0; i < values; i++) {
            if (i != 5) {
                expected.add(Map.of("value", LONG_TEXT + i, "count", 15L));
            }
        }
        assertThat(all.get("counts").equals(expected)).isTrue();
        assertThat(all.get("last")).isEqualTo(rows);
    }

    @Test
    void aListTakesHalfOfTheMemoryAndIsInTheOrderOfTheRows() {
        long rows = LIMIT / 2 / Long.BYTES;
        Row all = one(scattered(rows)
                .aggregate(
                        list("x").as("list"),
                        quantile("x", 0.5).as("median"),
                        min("id").as("least")));
        assertThat(all.get("list")
                        .equals(LongStream.range(0, rows)
                                .mapToObj(i -> i * SPREAD % rows)
                                .toList()))
                .isTrue();
        assertThat(all.get("median")).isEqualTo((rows - 1) / 2.0);
        assertThat(all.get("least")).isEqualTo(0L);
    }

    @Test
    void aListOfTextsWithNullsTakesAThirdOfTheMemory() {
        int rows = 300_000;
        Row all = one(session.range(rows)
                .withColumn(
                        "t",
                        when(col("id").mod(10L).eq(3L))
                                .then(lit(null).cast(DataType.UTF8))
                                .otherwise(concat("the value of ", col("id").cast(DataType.UTF8))))
                .aggregate(list("t").as("list")));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            expected.add(i % 10 == 3 ? null : "the value of " + i);
        }
        assertThat(all.get("list").equals(expected)).isTrue();
    }

    @Test
    void aListThatNoBlockCanHoldIsRefusedWithASentence() {
        assertThatThrownBy(
                        () -> session.range(ROWS).aggregate(count(), list("id")).takeAll())
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessageContaining("list(id) over all rows is one value")
                .hasMessageContaining("memory limit is " + LIMIT + " bytes")
                .hasMessageContaining("groupBy")
                .hasMessageContaining("select(\"id\")");
    }

    @Test
    void aSetThatNoBlockCanHoldIsRefusedWithASentence() {
        Dataset rows = session.range(LIMIT / LONG_TEXT.length()).withColumn("t", text(col("id")));
        assertThatThrownBy(() -> rows.aggregate(set("t")).takeAll())
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessageContaining("set(t) over all rows is one value")
                .hasMessageContaining("memory limit is " + LIMIT + " bytes")
                .hasMessageContaining("distinct(\"t\")");
    }

    private static Expression text(Expression number) {
        return concat(LONG_TEXT, number.cast(DataType.UTF8));
    }
}
