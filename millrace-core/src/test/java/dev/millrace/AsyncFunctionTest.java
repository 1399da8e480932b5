package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.function.AsyncBatchFunction;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Functions that return futures, in a session with little memory. Closing the session finds what is still held.
@Timeout(60)
class AsyncFunctionTest {
    private static final long MEMORY = 32 << 20;
    private static final int RESULT_ROWS = 1 << 16;
    private static final AtomicInteger UNDER_WAY = new AtomicInteger();
    private static final AtomicInteger FAILURES = new AtomicInteger();
    private static final AtomicLong CALLS = new AtomicLong();

    private final Session session = Session.builder()
            .progress(ProgressSettings.OFF)
            .limits(ResourceLimits.DEFAULT.withSlots(2).withMemory(MEMORY))
            .faults(FaultSettings.DEFAULT.withUserRetries(3, List.of("not ready")))
            .open();

    @AfterEach
    void close() {
        session.close();
        assertThat(UNDER_WAY).hasValue(0);
    }

    /// 512 KiB for each batch, made by another thread a moment later, of columns of its own.
    private static CompletionStage<Batch> expand(Batch batch) {
        UNDER_WAY.incrementAndGet();
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        Batch made = batch.none().with("n", new long[RESULT_ROWS]);
                        return made.mapLongs("n", n -> n + 1);
                    } finally {
                        UNDER_WAY.decrementAndGet();
                    }
                },
                CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS));
    }

    private static final class Expansion implements AsyncBatchFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public CompletionStage<Batch> apply(Batch batch) {
            return expand(batch);
        }
    }

    @Test
    void resultsOfOtherThreadsKeepToTheMemoryOfTheSession() {
        long batches = 4 * MEMORY / (8L * RESULT_ROWS);
        for (Dataset each : List.of(
                session.range(batches, 4)
                        .mapBatchesAsync(
                                AsyncFunctionTest::expand, Compute.tasks().batchSize(1)),
                session.range(batches, 4)
                        .mapBatchesAsync(
                                () -> new Expansion(),
                                Compute.actors(2).callsAtOnce(2).batchSize(1).batchesInFlight(16)))) {
            assertThat(each.sum("n")).isEqualTo(batches * RESULT_ROWS);
        }
    }

    /// Results that wait for the first one, and calls that wait for memory, would leave it none.
    @Test
    void callsBehindTheFirstMakeRoomForIt() {
        try (Session tight = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(2).withMemory(6 << 20))
                .open()) {
            Dataset expanded = tight.range(60, 2)
                    .mapBatchesAsync(
                            AsyncFunctionTest::expand,
                            Compute.tasks().batchSize(1).batchesInFlight(32));
            assertThat(expanded.sum("n")).isEqualTo(60L * RESULT_ROWS);
        }
    }

    @Test
    void anIterationThatIsClosedWaitsForTheFuturesInFlight() {
        try (CloseableIterator<Batch> rows = session.range(10_000, 4)
                .mapBatchesAsync(AsyncFunctionTest::expand, Compute.tasks().batchSize(1))
                .iterBatches(1000)) {
            assertThat(rows.next().rows()).isEqualTo(1000);
        }
        assertThat(UNDER_WAY).hasValue(0);
        assertThat(session.running()).isEmpty();
    }

    @Test
    void aTaskWhoseFutureFailedIsTriedAgainIfThatIsAsked() {
        FAILURES.set(2);
        CALLS.set(0);
        Dataset ready = session.range(40, 1)
                .mapBatchesAsync(
                        batch -> CompletableFuture.supplyAsync(() -> {
                            CALLS.incrementAndGet();
                            if (batch.longs("id").get(0) == 20 && FAILURES.getAndDecrement() > 0) {
                                throw new IllegalStateException("not ready");
                            }
                            return batch;
                        }),
                        Compute.tasks().batchSize(10));
        assertThat(ready.sum("id")).isEqualTo(780L);
        assertThat(CALLS.get()).isBetween(10L, 12L);
    }
}
