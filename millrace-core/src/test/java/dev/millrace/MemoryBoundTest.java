package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.compute.Compute;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pipelines that make far more than the session's memory holds, of every shape that is known to be hard: the bound
/// holds, no row is lost, nothing is left, and nothing waits forever.
@Timeout(60)
class MemoryBoundTest {
    private static final long LIMIT = 32L << 20;

    private final Session session = Session.builder()
            .limits(ResourceLimits.DEFAULT.withSlots(slots()).withMemory(LIMIT))
            .progress(ProgressSettings.OFF)
            .open();

    /// Where all consumers are at work at once and nobody else moves, blocks may go to disk: none of them need come
    /// back.
    private boolean hasSeveralConsumers;

    /// Tasks at once: the more there are, the less memory each has.
    int slots() {
        return 2;
    }

    @AfterEach
    void theBoundHeldAndNothingIsLeft() {
        assertThat(session.running()).isEmpty();
        assertThat(session.allocator().heldBytes()).isZero();
        assertThat(session.allocator().peakBytes()).isLessThanOrEqualTo(LIMIT);
        assertThat(session.allocator().footprint()).isLessThanOrEqualTo(LIMIT);
        if (!hasSeveralConsumers) {
            assertThat(session.spillStats().spilledBlocks()).isZero();
        }
        session.close();
    }

    /// Keeps `id` and adds a tensor of so many doubles, all of them the row's number.
    static BatchFunction widenedTo(int doubles) {
        return batch -> {
            Tensor[] wide = new Tensor[Math.toIntExact(batch.rows())];
            for (int i = 0; i < wide.length; i++) {
                double[] values = new double[doubles];
                Arrays.fill(values, (double) batch.longs("id").get(i));
                wide[i] = Tensor.of(values, doubles);
            }
            return batch.with("x", wide);
        };
    }

    /// Reads all of it in order, checks every tensor, and answers the number of rows.
    private static long read(Dataset dataset, int batchSize, long pauseMillis) throws InterruptedException {
        long next = 0;
        try (CloseableIterator<Batch> batches = dataset.iterBatches(batchSize)) {
            while (batches.hasNext()) {
                Batch batch = batches.next();
                next = check(batch, next);
                Thread.sleep(pauseMillis);
            }
        }
        return next;
    }

    private static long check(Batch batch, long first) {
        for (int i = 0; i < batch.rows(); i++) {
            assertThat(batch.longs("id").get(i)).isEqualTo(first + i);
        }
        return first + batch.rows();
    }

    @Test
    void aBatchThatIsLargerThanMemoryHasFewerRows() {
        String pad = "x".repeat(16_000);
        Dataset counted = session.range(5000)
                .map(row -> row.with("pad", pad))
                .mapBatches(
                        batch -> batch.mapLongs("id", id -> id + 1),
                        Compute.tasks(1).batchSize(4000))
                .filter(row -> row.getString("pad").length() == 16_000);
        assertThat(counted.count()).isEqualTo(5000);
        assertThat(counted.stats()).contains("batches shrunk");
    }

    @Test
    void aRowBecomesAThousand() {
        long rows = session.range(200, 4)
                .flatMap(row -> IntStream.range(0, 1000)
                        .mapToObj(i -> Row.of("id", row.getLong("id") * 1000 + i, "text", "x".repeat(1000)))
                        .toList())
                .count();
        assertThat(rows).isEqualTo(200_000);
    }

    @Test
    void longRowsWithLongListsAreExploded() {
        List<Integer> parts = IntStream.range(0, 500).boxed().toList();
        Dataset exploded = session.range(20, 2)
                .map(row -> Row.of("id", row.getLong("id"), "text", "y".repeat(20_000), "part", parts))
                .explode("part");
        assertThat(exploded.count()).isEqualTo(20 * 500);
        assertThat(exploded.sum("part")).isEqualTo(20L * 500 * 499 / 2);
    }

    @Test
    void aFastProducerMeetsASlowConsumer() throws Exception {
        Dataset wide = session.range(2000, 20)
                .mapBatches(widenedTo(12_500), Compute.defaults().batchSize(16));
        assertThat(read(wide, 50, 5)).isEqualTo(2000);
    }

    @Test
    void oneSplitIsLargerThanMemory() throws Exception {
        Dataset wide = session.range(1000, 1)
                .mapBatches(widenedTo(12_500), Compute.defaults().batchSize(8));
        assertThat(read(wide, 10, 0)).isEqualTo(1000);
    }

    @Test
    void blocksAreSkewed() throws Exception {
        BatchFunction skewed = batch -> batch.rows() == 0
                ? batch
                : widenedTo(batch.longs("id").get(0) % 70 == 0 ? 125_000 : 100).apply(batch);
        Dataset dataset =
                session.range(3000, 30).mapBatches(skewed, Compute.defaults().batchSize(10));
        assertThat(dataset.drop("x").count()).isEqualTo(3000);
        long[] rows = {0};
        dataset.unordered().forEachBatch(BatchOptions.defaults().batchSize(7), batch -> rows[0] += batch.rows());
        assertThat(rows[0]).isEqualTo(3000);
    }

    @Test
    void batchesAreCollectedOfWidenedRowsNoFurtherThanMemoryAllows() {
        Dataset batches = session.range(20_000, 4)
                .map(row -> Row.of("id", row.get("id"), "text", "x".repeat(7_500)))
                .mapBatches(batch -> batch, Compute.tasks().batchSize(4_000));
        assertThat(batches.count()).isEqualTo(20_000);
    }

    @Test
    void thereAreManyOperators() throws Exception {
        Dataset dataset = session.range(600, 12)
                .mapBatches(widenedTo(12_500), Compute.defaults().batchSize(16));
        for (int i = 0; i < 6; i++) {
            // Another cap each time, so that each is an operator of its own.
            dataset = dataset.mapBatches(
                    batch -> batch.with("x", batch.column("x")),
                    Compute.tasks(3 + i).batchSize(16));
        }
        assertThat(read(dataset, 16, 1)).isEqualTo(600);
    }

    @Test
    void actorsHaveBuffersToo() throws Exception {
        Dataset dataset = session.range(600, 12)
                .mapBatches(widenedTo(12_500), Compute.defaults().batchSize(16))
                .mapBatches(() -> batch -> batch, Compute.actors(2).cpus(0.5).batchSize(24));
        assertThat(read(dataset, 16, 1)).isEqualTo(600);
    }

    @Test
    void severalDatasetsRunAtOnce() {
        hasSeveralConsumers = true;
        List<CompletableFuture<Long>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Dataset dataset = session.range(400, 8)
                    .mapBatches(widenedTo(12_500), Compute.defaults().batchSize(16));
            all.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return read(dataset, 20, 2);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        assertThat(all).allSatisfy(one -> assertThat(one.join()).isEqualTo(400));
    }

    @Test
    void aPausedIteratorHoldsItsPlaceAndLetsOthersRun() throws Exception {
        hasSeveralConsumers = true;
        Dataset dataset = session.range(1000, 20)
                .mapBatches(widenedTo(12_500), Compute.defaults().batchSize(16));
        try (CloseableIterator<Batch> paused = dataset.iterBatches(16);
                CloseableIterator<Batch> another = dataset.iterBatches(16)) {
            long first = check(paused.next(), 0);
            long second = check(another.next(), 0);
            assertThat(read(dataset, 16, 0)).isEqualTo(1000);
            while (paused.hasNext()) {
                first = check(paused.next(), first);
            }
            while (another.hasNext()) {
                second = check(another.next(), second);
            }
            assertThat(List.of(first, second)).containsExactly(1000L, 1000L);
        }
    }

    @Test
    void aClosedIteratorFreesTasksThatWaitForMemory() {
        Dataset dataset = session.range(1000, 20)
                .mapBatches(widenedTo(12_500), Compute.defaults().batchSize(16));
        for (int i = 0; i < 5; i++) {
            try (CloseableIterator<Batch> batches = dataset.iterBatches(16)) {
                check(batches.next(), 0);
            }
            assertThat(session.allocator().heldBytes()).isZero();
        }
    }

    @Test
    void batchesWhoseResultsAreTooLargeGetSmaller() throws Exception {
        Dataset dataset = session.range(2000, 4)
                .mapBatches(widenedTo(12_500), Compute.defaults().batchSize(500).name("widen"));
        assertThat(read(dataset, 10, 0)).isEqualTo(2000);
        assertThat(dataset.lastRun().orElseThrow().operators().getFirst().counters())
                .hasEntrySatisfying("batchesShrunk", times -> assertThat(times).isPositive());
        assertThat(dataset.stats()).contains("batches shrunk");
    }

    /// A batch that is made without the input is copied into the task's memory when the function has returned.
    @Test
    void batchesMadeFromNothingWhoseCopiesAreTooLargeGetSmaller() throws Exception {
        Dataset dataset = session.range(120, 2)
                .mapBatches(
                        batch -> Batch.of(
                                "id",
                                batch.longs("id").toArray(),
                                "x",
                                IntStream.range(0, Math.toIntExact(batch.rows()))
                                        .mapToObj(i -> Tensor.of(new double[100_000], 100_000))
                                        .toArray(Tensor[]::new)),
                        Compute.defaults().batchSize(60));
        assertThat(read(dataset, 2, 0)).isEqualTo(120);
        assertThat(dataset.stats()).contains("batches shrunk");
    }

    @Test
    void resultsOfFuturesThatAreTooLargeGetSmallerWhereverTheyAreMade() throws Exception {
        for (boolean fromNothing : List.of(true, false)) {
            Dataset dataset = session.range(120, 2)
                    .mapBatchesAsync(
                            batch -> CompletableFuture.supplyAsync(() -> {
                                Tensor[] tensors = IntStream.range(0, Math.toIntExact(batch.rows()))
                                        .mapToObj(i -> Tensor.of(new double[100_000], 100_000))
                                        .toArray(Tensor[]::new);
                                return fromNothing
                                        ? Batch.of("id", batch.longs("id").toArray(), "x", tensors)
                                        : batch.with("x", tensors);
                            }),
                            Compute.defaults().batchSize(60));
            assertThat(read(dataset, 2, 0)).isEqualTo(120);
            assertThat(dataset.stats()).contains("batches shrunk");
        }
    }

    @Test
    void aRowLargerThanTheLimitIsAnErrorAtOnce() {
        Dataset dataset = session.range(8, 2)
                .mapBatches(
                        widenedTo(5_000_000), Compute.defaults().batchSize(4).name("widen"));
        assertThatThrownBy(dataset::materialize)
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessageContaining("widen")
                .hasMessageContaining("needs 41943040 bytes at once, and the memory limit is 33554432 bytes");
    }

    @Test
    void aFullJavaHeapIsAnErrorThatNamesTheSettingAndTheSessionStaysUsable() {
        Dataset dataset = session.range(10, 2)
                .mapBatches(
                        batch -> {
                            batch.allocator().allocate(512 << 10);
                            long[][] much = new long[100][];
                            for (int i = 0; i < much.length; i++) {
                                much[i] = new long[Integer.MAX_VALUE - 8];
                            }
                            return batch.with("y", much[0]);
                        },
                        Compute.defaults().name("hoard"));
        assertThatThrownBy(dataset::count)
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessageContaining("hoard failed on")
                .hasMessageContaining("OutOfMemoryError")
                .hasMessageMatching("(?s).*The Java heap has \\d+ MiB in use and had \\d+ MiB at most, of \\d+ MiB;.*")
                .hasMessageMatching(
                        "(?s).*: the tasks of '.*' hold \\d+ bytes of them and held [1-9]\\d{5,} at most, of the"
                                + " session's 33554432\\..*")
                .hasMessageContaining("Raise -Xmx, use smaller batches (batchSize)");
        assertThat(session.range(10).count()).isEqualTo(10);
    }

    @Test
    void explainSaysThatBlocksAreSmallerThanSet() {
        assertThat(session.range(10).explain())
                .contains("Blocks aim at " + Math.max(1, 4 / slots())
                        + " MiB, not at the 128 MiB that are set, because of that limit.");
    }
}
