package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.settings.ProgressSettings;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Errors lead to the user's own lines: the one that consumed, in the stack, and the one that described, in the
/// sentence.
class ErrorLinesTest {
    private static final AtomicInteger STARTS = new AtomicInteger();

    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    @AfterEach
    void close() {
        session.close();
    }

    private static MillraceException error(ThrowingCallable call) {
        MillraceException thrown = catchThrowableOfType(MillraceException.class, call);
        assertThat(thrown).as("an error").isNotNull();
        return thrown;
    }

    /// A way to consume a dataset, in this file.
    record Consumption(String name, java.util.function.Consumer<Dataset> how) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Consumption> consumptions() {
        return Stream.of(
                new Consumption("takeAll", Dataset::takeAll),
                new Consumption(
                        "count of a filter", d -> d.filter(col("half").gt(3)).count()),
                new Consumption("iterBatches", d -> drain(d.iterBatches(BatchOptions.of(3)))),
                new Consumption("iterRows", d -> drain(d.iterRows())),
                new Consumption("tensors", d -> drain(d.iterTensorBatches(TensorBatchOptions.batchSize(3)))),
                new Consumption("materialize", d -> d.materialize().close()),
                new Consumption("sort", d -> d.sort("half").takeAll()),
                new Consumption(
                        "aggregate", d -> d.aggregate(Aggregates.sum("half")).takeAll()),
                new Consumption("streamingSplit", d -> {
                    try (var shard = d.streamingSplit(1).getFirst().iterBatches(BatchOptions.of(3))) {
                        shard.forEachRemaining(batch -> {});
                    }
                }));
    }

    private static void drain(CloseableIterator<?> iterator) {
        try (iterator) {
            while (iterator.hasNext()) {
                iterator.next();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("consumptions")
    void theStackOfAnErrorHasTheLineThatConsumed(Consumption consumption) {
        Dataset broken = session.range(100, 4).map(row -> {
            if (row.getLong("id") == 60) {
                throw new IllegalStateException("no such row");
            }
            return Row.of("half", row.getLong("id") / 2);
        });
        MillraceException thrown = error(() -> consumption.how().accept(broken));
        assertThat(thrown).hasMessageContaining("no such row").hasRootCauseInstanceOf(IllegalStateException.class);
        assertThat(Arrays.stream(thrown.getStackTrace()).map(StackTraceElement::getClassName))
                .as("the stack of " + consumption)
                .contains(ErrorLinesTest.class.getName());
    }

    @Test
    void expressionsAreNamedWithTheirLine() {
        Dataset rows = session.items(Row.of("a", 1L), Row.of("a", Long.MAX_VALUE));
        String plus =
                error(() -> rows.withColumn("b", col("a").plus(1)).takeAll()).getMessage();
        assertThat(plus).matches("select\\(a, b\\) at ErrorLinesTest:\\d+ failed on .*");
        String filter =
                error(() -> rows.filter(col("a").plus(1).gt(3)).takeAll()).getMessage();
        assertThat(filter).matches("filter\\(.*\\) at ErrorLinesTest:\\d+ failed on .*");
    }

    @Test
    void expressionsThatBecameOneStepNameAllTheirLines() {
        Dataset rows = session.items(Row.of("a", 1L), Row.of("a", Long.MAX_VALUE));
        Dataset positive = rows.filter(col("a").gt(0));
        Dataset both = positive.filter(col("a").plus(1).gt(0));
        assertThat(error(both::takeAll).getMessage())
                .matches("filter\\(.*\\) at ErrorLinesTest:\\d+, ErrorLinesTest:\\d+ failed on .*");
    }

    private static final class Doubling implements BatchFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public Batch apply(Batch batch) {
            return batch.with("c", batch.longs("nope").toArray());
        }
    }

    @Test
    void anObjectThatIsAFunctionIsNamedWithTheLineOfItsVerb() {
        Dataset rows = session.range(3).mapBatches(new Doubling());
        assertThat(error(rows::takeAll).getMessage())
                .matches("mapBatches\\(Doubling ErrorLinesTest:\\d+\\) failed on .*");
        assertThat(rows.explain()).containsPattern("mapBatches\\(Doubling ErrorLinesTest:\\d+\\)");
    }

    @ParameterizedTest
    @MethodSource("lastingFaults")
    void anActorThatCannotStartIsNotTriedAgain(Exception fault) {
        STARTS.set(0);
        Dataset rows = session.range(3)
                .mapBatches(
                        () -> {
                            STARTS.incrementAndGet();
                            throw fault;
                        },
                        Compute.actors(1));
        error(rows::takeAll);
        assertThat(STARTS).hasValue(1);
    }

    static List<Exception> lastingFaults() {
        return List.of(
                new NoSuchFileException("model.bin"),
                new NoSuchMethodException("Model.<init>"),
                new IllegalArgumentException("size -1"),
                MillraceException.user("There is no file 'model.onnx'."));
    }

    @Test
    void anActorThatMayStartTheNextTimeIsTriedAgain() {
        STARTS.set(0);
        Dataset rows = session.range(3)
                .mapBatches(
                        () -> {
                            if (STARTS.incrementAndGet() == 1) {
                                throw new IOException("the server is busy");
                            }
                            return batch -> batch;
                        },
                        Compute.actors(1));
        assertThat(rows.takeAll()).hasSize(3);
        assertThat(STARTS).hasValue(2);
    }
}
