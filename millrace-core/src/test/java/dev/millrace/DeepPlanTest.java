package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.expression.Expression;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.testing.AtOnce;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Chains of thousands of verbs and operators, made by programs, on threads with small stacks.
class DeepPlanTest {
    private static final int LEVELS = 3_500;
    private static final long SMALL_STACK = 512 << 10;

    private final Session session = Session.builder()
            .progress(ProgressSettings.OFF)
            .limits(ResourceLimits.DEFAULT.withSlots(2))
            .open();

    @AfterEach
    void close() {
        session.close();
    }

    private static <T> T onASmallStack(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(null, task, "small-stack", SMALL_STACK);
        thread.setDaemon(true);
        thread.start();
        return AtOnce.result(task);
    }

    private Dataset chain(UnaryOperator<Dataset> verb) {
        Dataset rows = session.range(3);
        for (int i = 0; i < LEVELS; i++) {
            rows = verb.apply(rows);
        }
        return rows;
    }

    private static Expression chained(Expression first, UnaryOperator<Expression> operator) {
        Expression all = first;
        for (int i = 0; i < LEVELS; i++) {
            all = operator.apply(all);
        }
        return all;
    }

    @Test
    void thousandsOfFunctionsInARow() throws Exception {
        assertThat(onASmallStack(() -> chain(rows -> rows.map(row -> Row.of("id", row.getLong("id") + 1)))
                        .takeAll()))
                .containsExactly(Row.of("id", 3500L), Row.of("id", 3501L), Row.of("id", 3502L));
        assertThat(onASmallStack(
                        () -> chain(rows -> rows.mapBatches(batch -> batch)).count()))
                .isEqualTo(3);
    }

    @Test
    void thousandsOfProjectionsInARow() throws Exception {
        assertThat(onASmallStack(() ->
                        chain(rows -> rows.withColumn("id", col("id").plus(1))).take(1)))
                .containsExactly(Row.of("id", 3500L));
        assertThat(onASmallStack(() -> chain(rows -> rows.select("id")).columns()))
                .containsExactly("id");
    }

    @Test
    void thousandsOfFiltersAndLimitsInARow() throws Exception {
        assertThat(onASmallStack(
                        () -> chain(rows -> rows.filter(col("id").ge(1))).count()))
                .isEqualTo(2);
        assertThat(onASmallStack(() -> chain(rows -> rows.limit(2)).takeAll())).hasSize(2);
        assertThat(onASmallStack(
                        () -> chain(rows -> rows.sort("id").limit(2)).schema().names()))
                .containsExactly("id");
    }

    @Test
    void thousandsOfUnions() throws Exception {
        assertThat(onASmallStack(
                        () -> chain(rows -> rows.union(session.range(1))).count()))
                .isEqualTo(3503);
        assertThat(onASmallStack(() -> chain(rows -> rows.union(session.range(1)))
                        .filter(col("id").eq(2))
                        .explain()
                        .lines()
                        .count()))
                .isGreaterThan(LEVELS);
    }

    /// What a task costs to start must not grow with the square of the operators.
    @Test
    void aThousandDatasetsAreReadSideBySide() {
        Dataset[] others = new Dataset[999];
        Arrays.setAll(others, _ -> session.range(5));
        assertThat(session.range(5).union(others).takeAll()).hasSize(5_000);
    }

    @Test
    void explainShowsThemAll() throws Exception {
        assertThat(onASmallStack(() -> chain(rows -> rows.filter(row -> true))
                        .explain()
                        .lines()
                        .count()))
                .isGreaterThan(LEVELS);
    }

    @Test
    void thousandsOfOperatorsInAnExpression() throws Exception {
        assertThat(onASmallStack(() -> session.range(1)
                        .withColumn("id", chained(col("id"), sum -> sum.plus(lit(1))))
                        .takeAll()))
                .containsExactly(Row.of("id", 3500L));
        assertThat(onASmallStack(() -> session.range(10)
                        .filter(chained(col("id").eq(7), any -> any.or(col("id").eq(-1))))
                        .takeAll()))
                .containsExactly(Row.of("id", 7L));
        assertThat(onASmallStack(() -> session.range(1)
                        .select(chained(lit(0), sum -> sum.plus(lit(1))).as("n"))
                        .takeAll()))
                .containsExactly(Row.of("n", 3500));
    }
}
