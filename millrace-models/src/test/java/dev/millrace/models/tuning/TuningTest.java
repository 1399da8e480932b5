package dev.millrace.models.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Compute;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.models.TestModels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TuningTest {
    private static final Duration SHORT = Duration.ofSeconds(6);
    private static final AtomicInteger OPEN = new AtomicInteger();

    /// Takes 10 ms for each batch and 1 ms for each row; has no memory for more than 6 rows.
    private static class Slow implements BatchFunction, AutoCloseable {
        private static final long serialVersionUID = 1L;

        Slow() {
            OPEN.incrementAndGet();
        }

        @Override
        public Batch apply(Batch batch) throws InterruptedException {
            if (batch.rows() > 6) {
                throw MemoryRefused.elsewhere("no room for " + batch.rows() + " rows", null);
            }
            Thread.sleep(10 + batch.rows());
            return batch;
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
        }
    }

    @Test
    void theBestSizeIsTheLargestForWhichThereIsMemory() {
        List<TuningPoint> told = new ArrayList<>();
        TuningReport report = Tuning.of(Slow::new, Batch.of("x", new long[] {1, 2}))
                .maxBatch(64)
                .time(SHORT)
                .onPoint(told::add)
                .run();
        assertThat(report.points()).extracting(TuningPoint::batchSize).startsWith(1, 2, 4, 8);
        assertThat(report.points()).isEqualTo(told);
        assertThat(report.points().get(3).failure()).isEqualTo("no room for 8 rows");
        assertThat(report.best().orElseThrow().batchSize()).isIn(4, 6);
        assertThat(report.complete()).isTrue();
        assertThat(report.toString())
                .contains("no room for 8 rows")
                .contains("Best: batches of ")
                .contains("Compute.actors(1)");
        assertThat(OPEN).hasValue(0);
    }

    @Test
    void actorsShareTheCpus() {
        List<Double> cpus = new ArrayList<>();
        BatchFunction same = batch -> batch;
        TuningReport report = Tuning.of(
                        () -> {
                            cpus.add(ActorContext.current()
                                    .orElseThrow()
                                    .resources()
                                    .cpus());
                            return same;
                        },
                        Batch.of("x", new long[] {1}))
                .maxBatch(1)
                .cpus(4)
                .actors(1, 2, 8)
                .time(SHORT)
                .run();
        assertThat(report.points()).extracting(TuningPoint::threads).containsExactly(4, 2, 1);
        assertThat(cpus).startsWith(4.0, 2.0, 2.0, 1.0).hasSize(1 + 2 + 8);
        TuningPoint best = report.best().orElseThrow();
        assertThat(report.compute())
                .isEqualTo(Compute.actors(best.actors()).cpus(best.threads()).batchSize(1));
    }

    @Test
    void aModelIsMeasuredOverRowsInTheShapesOfItsInputs() {
        TuningReport report = Tuning.of(TestModels.onnx("image").input("picture"))
                .maxBatch(8)
                .time(SHORT)
                .run();
        assertThat(report.points()).allMatch(TuningPoint::worked);
        assertThat(report.best()).isPresent();
    }

    @Test
    void openShapesAreAskedFor() {
        assertThatThrownBy(() -> Tuning.of(TestModels.onnx("tokens")))
                .hasMessage("The input 'ids' (int64 [batch, length]) has an open shape: say which one a row has, e.g."
                        + " 3x224x224, or give a sample.");
        assertThat(Tuning.of(TestModels.onnx("tokens"), Map.of("ids", new int[] {5}))
                        .maxBatch(2)
                        .time(SHORT)
                        .run()
                        .best())
                .isPresent();
    }

    @Test
    void memoryOverTheLimitIsAPointOfTheCurve() {
        TuningReport report = Tuning.of(TestModels.onnx("image"))
                .memory(1)
                .maxBatch(4)
                .time(SHORT)
                .run();
        assertThat(report.best()).isEqualTo(Optional.empty());
        assertThat(report.points()).singleElement().satisfies(point -> {
            assertThat(point.failure()).contains("over the limit of 1 B");
        });
        assertThatThrownBy(report::compute)
                .isInstanceOf(MillraceException.class)
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.RESOURCES);
    }

    @Test
    void batchesCountAlsoWhereTheProcessDoesNotGrow() {
        BatchFunction same = batch -> batch;
        Tuning tuning =
                Tuning.of(() -> same, Batch.of("x", new long[] {1})).maxBatch(1).time(SHORT);
        for (int i = 0; i < 5; i++) {
            assertThat(tuning.run().points()).allMatch(point -> point.peakBytes() >= Long.BYTES);
            assertThat(tuning.memory(1).run().best()).isEmpty();
        }
    }

    @Test
    void whatIsWrongWithTheFunctionIsThrown() {
        BatchFunction broken = _ -> {
            throw new IllegalStateException("no such column");
        };
        assertThatThrownBy(() -> Tuning.of(() -> broken, Batch.of("x", new long[] {1}))
                        .time(SHORT)
                        .run())
                .isInstanceOf(MillraceException.class)
                .hasMessage(
                        "The function failed while it was measured: java.lang.IllegalStateException: no such column");
    }
}
