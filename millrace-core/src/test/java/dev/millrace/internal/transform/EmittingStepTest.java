package dev.millrace.internal.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchEmitter;
import dev.millrace.function.BatchFlatFunction;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EmittingStepTest {
    private final FakeTask task = new FakeTask();

    @AfterEach
    void nothingIsHeld() {
        task.close();
    }

    private static TransformStep emitting(Integer size, BatchFlatFunction function) {
        return emitting(size, ErrorPolicy.fail(), function);
    }

    private static TransformStep emitting(Integer size, ErrorPolicy onError, BatchFlatFunction function) {
        return FakeTask.batches("flatMapBatches(f)", new BatchOperation.Emitting(function), size, onError);
    }

    private static TransformStep noting(List<Long> sizes) {
        return FakeTask.batches(
                "mapBatches(note)",
                new BatchOperation.Function(batch -> {
                    sizes.add(batch.rows());
                    return batch;
                }),
                1);
    }

    @Test
    void aFunctionEmitsAnyNumberOfBatchesInOrder() throws Exception {
        task.ids(0, 3).ids(3, 5).run(emitting(null, (batch, out) -> {
            out.emit(batch.mapLongs("id", id -> id * 10));
            for (long row = 0; row < batch.rows(); row++) {
                out.emit(batch.slice(row, 1));
            }
        }));
        assertThat(task.rows())
                .extracting(row -> row.getLong("id"))
                .containsExactly(0L, 10L, 20L, 0L, 1L, 2L, 30L, 40L, 3L, 4L);
        assertThat(task.functions).singleElement().satisfies(use -> {
            assertThat(use.calls()).isEqualTo(2);
            assertThat(use.rows()).isEqualTo(5);
        });
    }

    @Test
    void batchesAreHandedOnWhileTheFunctionRuns() throws Exception {
        List<Long> sizes = new ArrayList<>();
        List<Integer> seen = new ArrayList<>();
        task.ids(0, 2)
                .run(
                        emitting(null, (batch, out) -> {
                            for (int i = 0; i < 3; i++) {
                                out.emit(batch);
                                seen.add(sizes.size());
                            }
                        }),
                        noting(sizes));
        assertThat(seen).containsExactly(2, 4, 6);
    }

    @Test
    void theMemoryOfALongCallIsThatOfOneBatch() throws Exception {
        long peak;
        try (FakeTask small = new FakeTask(16 << 20)) {
            small.ids(0, 2)
                    .run(
                            emitting(null, (batch, out) -> {
                                Batch before = batch.with("before", new long[] {1, 2});
                                ColumnBuilder early = batch.newColumn(DataType.INT64);
                                early.append(7L);
                                early.append(8L);
                                out.emit(before.with("early", early));
                                for (int i = 0; i < 200; i++) {
                                    Batch wasted = batch.none().with("n", new long[1 << 17]);
                                    out.emit(wasted.with("m", new long[1 << 17]).slice(0, 2));
                                }
                                out.emit(before);
                            }),
                            FakeTask.rows("filter(p)", new RowOperation.Filter(row -> row.has("before"))));
            assertThat(small.rows()).hasSize(4);
            peak = small.allocator().peakBytes();
        }
        assertThat(peak).isLessThan(6 << 20);
    }

    @Test
    void whatWasMadeBetweenTwoEmitsEndsWithTheSecond() {
        assertThatThrownBy(() -> task.ids(0, 2).run(emitting(null, (batch, out) -> {
                    Batch first = batch.mapLongs("id", id -> id + 1);
                    out.emit(first);
                    out.emit(first);
                    Batch later = batch.mapLongs("id", id -> id + 2);
                    out.emit(later);
                    out.emit(later.with("x", new long[2]));
                })))
                .hasMessageStartingWith("flatMapBatches(f) failed on its input block, rows 0-1: A batch or column of"
                        + " flatMapBatches(f) was used after its next batch was emitted.")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.USER);
    }

    @Test
    void aLimitBehindItIsSaid() throws Exception {
        List<Boolean> wanted = new ArrayList<>();
        task.ids(0, 4)
                .run(
                        emitting(null, (batch, out) -> {
                            for (int i = 0; i < 4; i++) {
                                wanted.add(out.emit(batch));
                            }
                        }),
                        new LimitStep(6));
        assertThat(wanted).containsExactly(true, false, false, false);
        assertThat(task.rows()).hasSize(6);
    }

    @Test
    void anErrorOfAFollowingStepIsNotTheFunctionsEvenIfItCatchesIt() {
        assertThatThrownBy(() -> task.ids(0, 4)
                        .run(
                                emitting(null, (batch, out) -> {
                                    for (int i = 0; i < 2; i++) {
                                        try {
                                            out.emit(batch);
                                        } catch (RuntimeException e) {
                                            // As a careless function does.
                                        }
                                    }
                                }),
                                FakeTask.batches(
                                        "mapBatches(g)",
                                        new BatchOperation.Function(_ -> {
                                            throw new IllegalStateException("behind");
                                        }),
                                        null)))
                .hasMessageStartingWith(
                        "mapBatches(g) failed on its input block, rows 0-3: IllegalStateException: behind");
    }

    @Test
    void whatIsNoBatchIsAnErrorOfTheFunction() {
        assertThatThrownBy(() -> task.ids(0, 4).run(emitting(null, (batch, out) -> out.emit(null))))
                .hasMessageStartingWith("flatMapBatches(f) returned null (batch 1, its input block, rows 0-3).");
        List<BatchEmitter> kept = new ArrayList<>();
        assertThatThrownBy(() -> {
                    task.run(emitting(null, (batch, out) -> kept.add(out)));
                    kept.getFirst().emit(Batch.of("id", new long[1]));
                })
                .hasMessageStartingWith("flatMapBatches(f) emitted a batch after it had returned (its input block,");
    }

    /// Fails on the batch with the id 2, after it has emitted.
    private static void picky(Batch batch, BatchEmitter out) {
        out.emit(batch.mapLongs("id", id -> id + 100));
        if (batch.longs("id").get(0) == 2) {
            throw new IllegalStateException("no 2");
        }
        out.emit(batch);
    }

    @Test
    void underAPolicyACallThatFailsEmitsNothing() throws Exception {
        task.ids(0, 6).run(emitting(2, ErrorPolicy.skip(), EmittingStepTest::picky));
        assertThat(task.rows())
                .extracting(row -> row.getLong("id"))
                .containsExactly(100L, 101L, 0L, 1L, 104L, 105L, 4L, 5L);
        assertThat(task.counters).containsEntry(TaskCounters.SKIPPED_ROWS, 2L);
    }

    @Test
    void underThePolicyNullsItEmitsAsManyRowsAsItWasGiven() throws Exception {
        task.ids(2, 6).run(emitting(2, ErrorPolicy.nulls(), EmittingStepTest::picky));
        assertThat(task.rows()).extracting(row -> row.get("id")).containsExactly(null, null, 104L, 105L, 4L, 5L);
    }

    @Test
    void withoutAPolicyTheErrorNamesTheFunctionAndTheRows() {
        assertThatThrownBy(() -> task.ids(0, 6).run(emitting(2, EmittingStepTest::picky)))
                .hasMessageStartingWith(
                        "flatMapBatches(f) failed on its input block, rows 2-3: IllegalStateException: no 2");
    }

    private ChainSpec withShare(long bytes, TransformStep step) {
        return new ChainSpec(
                "op", List.of(step), 1 << 20, FakeTask.CHUNK_BYTES, ErrorPolicy.fail(), "", "", new BatchFit(bytes));
    }

    @Test
    void whatWaitsForTheEndOfACallIsBounded() throws Exception {
        List<Long> sizes = new ArrayList<>();
        TransformStep step = emitting(8, ErrorPolicy.skip(), (batch, out) -> {
            sizes.add(batch.rows());
            for (int i = 0; i < 4; i++) {
                out.emit(batch);
            }
        });
        task.ids(0, 8).run(new TaskPrograms.MapProgram(withShare(64, step)));
        assertThat(sizes).containsExactly(8L, 4L, 4L);
        assertThat(task.rows()).hasSize(32);
        TransformStep endless = emitting(1, ErrorPolicy.skip(), (batch, out) -> {
            while (out.emit(batch)) {}
        });
        assertThatThrownBy(() -> task.run(new TaskPrograms.MapProgram(withShare(1000, endless))))
                .hasMessageContaining(
                        "flatMapBatches(f) emitted more than 2000 bytes for its input block, row 0. Under an"
                                + " error policy they wait until it has ended well; let it fail (the default), and they are handed"
                                + " on at once, or give it a smaller batch size.");
    }

    @Test
    void aCallThatIsRefusedMemoryIsMadeInHalvesUnlessItHasEmitted() throws Exception {
        List<Long> sizes = new ArrayList<>();
        task.ids(0, 4).run(emitting(null, (batch, out) -> {
            sizes.add(batch.rows());
            if (batch.rows() > 2) {
                batch.allocator().allocate(2L << 30);
            }
            out.emit(batch);
        }));
        assertThat(sizes).containsExactly(4L, 2L, 2L);
        assertThat(task.rows()).containsExactly(Row.of("id", 0L), Row.of("id", 1L), Row.of("id", 2L), Row.of("id", 3L));
        assertThatThrownBy(() -> task.run(emitting(null, (batch, out) -> {
                    out.emit(batch);
                    batch.allocator().allocate(2L << 30);
                })))
                .hasMessageStartingWith("flatMapBatches(f) failed on its input block, rows 0-3: 'test' holds ")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.RESOURCES);
    }
}
