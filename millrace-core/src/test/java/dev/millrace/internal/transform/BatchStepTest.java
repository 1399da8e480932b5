package dev.millrace.internal.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.Functions;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.runtime.BlockPlace;
import dev.millrace.testing.LongBlocks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchStepTest {
    private final FakeTask task = new FakeTask();
    private final List<Long> sizes = new ArrayList<>();

    @AfterEach
    void nothingIsHeld() {
        task.close();
    }

    private static TransformStep batches(Integer size, BatchFunction function) {
        return FakeTask.batches("mapBatches(f)", new BatchOperation.Function(function), size);
    }

    private TransformStep noting(Integer size) {
        return batches(size, batch -> {
            sizes.add(batch.rows());
            return batch;
        });
    }

    @Test
    void anErrorInABatchOfTwoBlocksNamesBoth() {
        ChainSpec chain = new ChainSpec(
                "op",
                List.of(batches(30, batch -> {
                    if (batch.longs("id").get(0) == 90) {
                        throw new IllegalStateException("no 90");
                    }
                    return batch;
                })),
                1 << 20,
                1 << 10);
        List<BlockPlace> places = List.of(new BlockPlace("a.csv", 1000), new BlockPlace("b.csv", 7));
        assertThatThrownBy(() -> task.ids(0, 100).ids(100, 200).run(new TaskPrograms.MapProgram(chain, places)))
                .hasMessageStartingWith(
                        "mapBatches(f) failed on a.csv, row 1090 to b.csv, row 26: " + "IllegalStateException: no 90");
    }

    @Test
    void aFunctionMapsBatches() throws Exception {
        task.ids(0, 4).run(batches(null, b -> b.mapLongs("id", x -> x * 2).filterLongs("id", x -> x > 2)));
        assertThat(task.rows()).containsExactly(Row.of("id", 4L), Row.of("id", 6L));
        assertThat(task.counters.get(TaskCounters.UDF_NANOS)).isPositive();
        assertThat(task.counters).containsEntry(TaskCounters.ROWS_IN, 4L).containsEntry(TaskCounters.BYTES_IN, 32L);
    }

    @Test
    void withoutABatchSizeEachInputBlockIsABatch() throws Exception {
        ChainSpec smallChunks = new ChainSpec("o", List.of(noting(null)), 1 << 20, 64);
        task.ids(0, 100).ids(100, 103).run(new TaskPrograms.MapProgram(smallChunks));
        assertThat(sizes).containsExactly(100L, 3L);
        assertThat(task.rows()).hasSize(103);
    }

    @Test
    void afterAFusedStepABatchIsWhatWouldBeABlock() throws Exception {
        task.ids(0, 40).run(new TaskPrograms.MapProgram(filtered(1 << 20)));
        assertThat(sizes).containsExactly(40L);
        assertThat(task.outputs).hasSize(1);
    }

    @Test
    void afterAFusedStepBatchesHaveTheTargetSizeOfBlocks() throws Exception {
        task.ids(0, 40).run(new TaskPrograms.MapProgram(filtered(160)));
        assertThat(sizes).containsExactly(30L, 10L);
        assertThat(task.rows()).extracting(row -> row.getLong("id")).isSorted().hasSize(40);
    }

    /// Chunks of ten rows.
    private ChainSpec filtered(long targetBytes) {
        return new ChainSpec(
                "o",
                List.of(FakeTask.rows("filter(p)", new RowOperation.Filter(_ -> true)), noting(Compute.WHOLE_BLOCK)),
                targetBytes,
                80);
    }

    @Test
    void aBatchSizeCutsAndJoinsBlocks() throws Exception {
        task.ids(0, 10).ids(10, 11).ids(11, 25).run(noting(8));
        assertThat(sizes).containsExactly(8L, 8L, 8L, 1L);
        assertThat(task.rows()).extracting(row -> row.getLong("id")).isSorted().hasSize(25);
    }

    @Test
    void anAutomaticBatchSizeIsAbout16MiBOfRows() throws Exception {
        task.ids(0, 2_100_000).ids(0, 2_100_000).run(noting(Compute.AUTO));
        assertThat(sizes).containsExactly(2_097_152L, 2_097_152L, 5696L);
    }

    @Test
    void anAutomaticBatchSizeKeepsToTheTasksShareOfMemory() throws Exception {
        ChainSpec small = new ChainSpec(
                "the operator",
                List.of(noting(Compute.AUTO)),
                128 << 20,
                FakeTask.CHUNK_BYTES,
                ErrorPolicy.fail(),
                "",
                "",
                new BatchFit(8 << 10));
        task.ids(0, 2500).run(new TaskPrograms.MapProgram(small));
        assertThat(sizes).containsExactly(1024L, 1024L, 452L);
    }

    @Test
    void unequalColumnsAreAnErrorWithNumbers() {
        TransformStep resize =
                FakeTask.batches("mapBatches(resize)", new BatchOperation.Function(Functions::resize), null);
        assertThatThrownBy(() -> task.ids(0, 32).run(resize))
                .isInstanceOf(MillraceException.class)
                .hasMessage(
                        "mapBatches(resize) returned 31 rows in column 'label' and 32 in 'image' (batch 1, its input block,"
                                + " rows 0-31). Return columns of equal length.")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.USER);
    }

    @Test
    void nullIsNoBatch() {
        assertThatThrownBy(() -> task.ids(0, 32).run(batches(10, _ -> null)))
                .hasMessage(
                        "mapBatches(f) returned null (batch 1, its input block, rows 0-9). Return a batch; one without"
                                + " rows is batch.slice(0, 0).");
    }

    @Test
    void aUsersExceptionNamesOperatorRowsAndLine() {
        assertThatThrownBy(() -> task.ids(-10, 20).run(batches(6, Functions::failOnFive)))
                .hasMessageStartingWith(
                        "mapBatches(f) failed on its input block, rows 12-17: IllegalStateException: no fives"
                                + " at com.acme.Functions.failOnFive(Functions.java:")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void errorsOfOurOwnInsideAFunctionKeepTheirSentenceAndCulprit() {
        assertThatThrownBy(() -> task.ids(0, 3).run(batches(null, b -> {
                    b.doubles("id");
                    return b;
                })))
                .hasMessageStartingWith("mapBatches(f) failed on its input block, rows 0-2: Column 'id' is int64, not a"
                        + " DoubleColumn. Take it with batch.longs(\"id\").");
        assertThatThrownBy(() -> task.run(batches(null, b -> {
                    b.allocator().allocate(2L << 30);
                    return b;
                })))
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.RESOURCES);
    }

    @Test
    void aBatchThatIsKeptIsAnErrorAfterTheCall() throws Exception {
        List<Batch> kept = new ArrayList<>();
        task.ids(0, 3).run(batches(null, b -> {
            kept.add(b);
            return b;
        }));
        assertThatThrownBy(() -> kept.getFirst().longs("id"))
                .hasMessageStartingWith("A batch or column of mapBatches(f) was used after the function returned.");
    }

    @Test
    void aResultMayHoldColumnsOfItsInputUnderNewNames() throws Exception {
        task.ids(0, 2).run(batches(null, b -> b.with("copy", b.longs("id"))), batches(1, b -> b.rename("copy", "c")));
        assertThat(task.rows()).containsExactly(Row.of("id", 0L, "c", 0L), Row.of("id", 1L, "c", 1L));
    }

    @Test
    void schemasThatChangeBetweenBatchesAreUnited() throws Exception {
        task.ids(0, 2)
                .run(batches(
                        1,
                        b -> b.longs("id").get(0) == 0
                                ? b.none().with("v", new int[] {1})
                                : b.none().with("v", new double[] {2.5}).with("w", new String[] {"x"})));
        assertThat(task.rows()).containsExactly(Row.of("v", 1.0, "w", null), Row.of("v", 2.5, "w", "x"));
    }

    @Test
    void theFunctionIsNotCalledWithoutRows() throws Exception {
        task.ids(0, 5).run(FakeTask.rows("filter(p)", new RowOperation.Filter(_ -> false)), noting(null));
        assertThat(sizes).isEmpty();
        assertThat(task.outputs).isEmpty();
    }

    @Test
    void anEmptyResultIsNoRows() throws Exception {
        task.ids(0, 5).run(batches(2, b -> b.slice(0, 0)));
        assertThat(task.rows()).isEmpty();
        assertThat(task.outputs).hasSize(1);
    }

    @Test
    void aBatchThatThereIsNoMemoryToPutTogetherBecomesSmaller() throws Exception {
        try (FakeTask small = new FakeTask(700 << 10)) {
            for (int i = 0; i < 4; i++) {
                small.input(LongBlocks.range(small.allocator(), i << 14, 1 << 14));
            }
            List<Long> sizes = new ArrayList<>();
            small.run(FakeTask.batches(
                    "sizes",
                    new BatchOperation.Function(batch -> {
                        sizes.add(batch.rows());
                        return batch;
                    }),
                    1 << 16));
            assertThat(sizes).allMatch(rows -> rows < 1 << 16);
            assertThat(sizes.stream().mapToLong(rows -> rows).sum()).isEqualTo(1 << 16);
            assertThat(small.counters.get(TaskCounters.BATCHES_SHRUNK)).isPositive();
            assertThat(small.outputs.stream().mapToLong(Block::rows).sum()).isEqualTo(1 << 16);
        }
    }
}
