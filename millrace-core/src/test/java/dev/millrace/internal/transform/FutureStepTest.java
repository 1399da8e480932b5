package dev.millrace.internal.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.function.AsyncBatchFunction;
import dev.millrace.internal.thread.TaskCancellation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FutureStepTest {
    private final FakeTask task = new FakeTask();

    @AfterEach
    void nothingIsHeld() {
        task.close();
    }

    private static TransformStep async(Compute compute, AsyncBatchFunction function) {
        return BatchStep.of("mapBatchesAsync(f)", new BatchOperation.Asynchronous(function), compute);
    }

    private static TransformStep async(int size, AsyncBatchFunction function) {
        return async(Compute.defaults().batchSize(size), function);
    }

    private List<Object> ids() {
        return task.rows().stream().map(row -> row.get("id")).toList();
    }

    @Test
    void resultsKeepTheOrderOfTheirBatchesWhicheverIsReadyFirst() throws Exception {
        List<Runnable> answers = new ArrayList<>();
        task.ids(0, 8).run(async(2, batch -> {
            CompletableFuture<Batch> future = new CompletableFuture<>();
            answers.add(() -> future.complete(batch.mapLongs("id", id -> id * 10)));
            if (answers.size() == 4) {
                Thread.ofPlatform().daemon().start(() -> answers.reversed().forEach(Runnable::run));
            }
            return future;
        }));
        assertThat(ids()).containsExactly(0L, 10L, 20L, 30L, 40L, 50L, 60L, 70L);
        assertThat(task.functions).singleElement().satisfies(use -> {
            assertThat(use.calls()).isEqualTo(4);
            assertThat(use.rows()).isEqualTo(8);
        });
    }

    @Test
    void noMoreBatchesAreInFlightThanWereAskedFor() throws Exception {
        AtomicInteger now = new AtomicInteger();
        List<Integer> seen = new ArrayList<>();
        task.ids(0, 20).run(async(Compute.defaults().batchSize(1).batchesInFlight(3), batch -> {
            seen.add(now.incrementAndGet());
            return CompletableFuture.supplyAsync(() -> {
                now.decrementAndGet();
                return batch;
            });
        }));
        assertThat(seen).hasSize(20).allMatch(count -> count <= 3);
        assertThat(ids()).hasSize(20);
    }

    @Test
    void aBatchAndWhatIsMadeOfItAreValidUntilTheFutureIsCompleted() throws Exception {
        List<Batch> kept = new ArrayList<>();
        task.ids(0, 2)
                .run(async(
                        2,
                        batch -> CompletableFuture.supplyAsync(() -> {
                            kept.add(batch);
                            return batch.with("text", new String[] {"a", "b"}).filterLongs("id", id -> id > 0);
                        })));
        assertThat(task.rows()).singleElement().asString().contains("text: b");
        assertThatThrownBy(() -> kept.getFirst().with("x", new long[2]))
                .hasMessageStartingWith(
                        "A batch or column of mapBatchesAsync(f) was used after its future was completed.");
    }

    private static CompletableFuture<Batch> failOnTwo(Batch batch) {
        return CompletableFuture.supplyAsync(() -> {
            if (batch.longs("id").get(0) == 2) {
                throw new IllegalStateException("no 2");
            }
            return batch;
        });
    }

    @Test
    void aFutureThatFailsIsAFunctionThatThrew() throws Exception {
        assertThatThrownBy(() -> task.ids(0, 6).run(async(2, FutureStepTest::failOnTwo)))
                .hasMessageStartingWith(
                        "mapBatchesAsync(f) failed on its input block, rows 2-3: IllegalStateException:" + " no 2")
                .hasCauseInstanceOf(IllegalStateException.class);
        task.run(async(Compute.defaults().batchSize(2).onError(ErrorPolicy.skip()), FutureStepTest::failOnTwo));
        assertThat(ids()).containsExactly(0L, 1L, 4L, 5L);
    }

    @Test
    void policiesKeepTheOrderOfRows() throws Exception {
        task.ids(0, 6).run(async(Compute.defaults().batchSize(2).onError(ErrorPolicy.nulls()), batch -> {
            if (batch.longs("id").get(0) == 2) {
                throw new IllegalStateException("at once");
            }
            return failOnTwo(batch);
        }));
        assertThat(ids()).containsExactly(0L, 1L, null, null, 4L, 5L);
        assertThat(task.counters).containsEntry(TaskCounters.NULLED_ROWS, 2L);
    }

    @Test
    void aTimeoutIsAnErrorOfTheFunction() {
        assertThatThrownBy(
                        () -> task.ids(0, 2).run(async(2, _ -> CompletableFuture.failedFuture(new TimeoutException()))))
                .hasMessageStartingWith("mapBatchesAsync(f) failed on its input block, rows 0-1: TimeoutException");
    }

    @Test
    void whatIsNoFutureOrNoBatchIsSaid() {
        assertThatThrownBy(() -> task.ids(0, 2).run(async(2, _ -> null)))
                .hasMessageStartingWith(
                        "mapBatchesAsync(f) failed on its input block, rows 0-1: It returned null instead"
                                + " of a future. Return a CompletionStage, e.g. CompletableFuture.supplyAsync(...).");
        assertThatThrownBy(() -> task.run(async(2, _ -> CompletableFuture.completedFuture(null))))
                .hasMessageStartingWith("mapBatchesAsync(f) returned null (batch 1, its input block, rows 0-1).");
    }

    @Test
    void aBatchThatIsRefusedMemoryIsCalledAgainInHalves() throws Exception {
        List<Long> sizes = new ArrayList<>();
        task.ids(0, 8).run(async(4, batch -> {
            sizes.add(batch.rows());
            return CompletableFuture.supplyAsync(() -> {
                if (batch.rows() > 2) {
                    batch.allocator().allocate(2L << 30);
                }
                return batch;
            });
        }));
        assertThat(ids()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
        assertThat(sizes).contains(4L, 2L);
        assertThatThrownBy(() -> task.run(async(
                        1,
                        batch -> CompletableFuture.supplyAsync(() -> {
                            batch.allocator().allocate(2L << 30);
                            return batch;
                        }))))
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.RESOURCES);
    }

    @Test
    void behindALimitTheCallsInFlightAreWaitedForAndDropped() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger begun = new AtomicInteger();
        task.ids(0, 20)
                .run(
                        async(Compute.defaults().batchSize(1).batchesInFlight(4), batch -> {
                            begun.incrementAndGet();
                            return CompletableFuture.supplyAsync(() -> {
                                ended.incrementAndGet();
                                return batch;
                            });
                        }),
                        new LimitStep(2));
        assertThat(ids()).containsExactly(0L, 1L);
        assertThat(begun.get()).isLessThanOrEqualTo(6).isEqualTo(ended.get());
    }

    @Test
    void cancellationWaitsForTheFuturesInFlight() throws Exception {
        AtomicBoolean cancelled = new AtomicBoolean();
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        Thread caller = Thread.currentThread();
        try (TaskCancellation.Scope _ = TaskCancellation.enter(cancelled::get)) {
            assertThatThrownBy(() -> task.ids(0, 3).run(async(1, batch -> {
                        if (batch.longs("id").get(0) == 2) {
                            Thread.ofPlatform().daemon().start(() -> {
                                cancelled.set(true);
                                caller.interrupt();
                                release.countDown();
                            });
                        }
                        return CompletableFuture.supplyAsync(() -> {
                            awaitQuietly(release);
                            ended.incrementAndGet();
                            return batch;
                        });
                    })))
                    .isInstanceOf(TaskCancelled.class);
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(ended).hasValue(3);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
