package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static dev.millrace.Behaviour.column;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.sql;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.testing.AtOnce;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Materialised datasets and splits.
interface SplitBehaviour extends Behaviour {
    private static List<Long> counts(List<MaterializedDataset> parts) {
        return parts.stream().map(Dataset::count).toList();
    }

    private static List<Long> drain(Shard shard) {
        List<Long> ids = new ArrayList<>();
        try (CloseableIterator<Row> rows = shard.iterRows()) {
            rows.forEachRemaining(row -> ids.add(row.getLong("id")));
        }
        return ids;
    }

    private static List<List<Long>> drainAll(List<Shard> shards) throws Exception {
        return AtOnce.all(shards.stream()
                .<Callable<List<Long>>>map(shard -> () -> drain(shard))
                .toList());
    }

    @Test
    default void materializeRunsOnceAndKeepsTheBlocks() {
        MaterializedDataset kept =
                session().range(100, 5).map(row -> row.with("x", 1)).materialize();
        assertThat(kept.numBlocks()).isEqualTo(5);
        assertThat(kept.count()).isEqualTo(100);
        assertThat(kept.columns()).containsExactly("id", "x");
        assertThat(kept.stats()).contains("map");
        assertThat(kept.sizeBytes()).isGreaterThan(800);
        assertThat(column("id", kept.filter(col("id").lt(3)))).containsExactly(0L, 1L, 2L);
        assertThat(kept.take(2)).hasSize(2);
        kept.close();
        assertError(() -> kept.take(1)).hasMessageContaining("was closed");
        kept.close();
    }

    @Test
    default void aMaterialisedDatasetMayBeMaterialisedAgain() {
        try (MaterializedDataset first = session().range(10, 2).materialize();
                MaterializedDataset second = first.limit(7).materialize()) {
            first.close();
            assertThat(column("id", second)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
        }
    }

    @Test
    default void datasetsThatAreNotClosedAreFreedWithTheSession() {
        session().range(1000).materialize();
        session().range(10, 3).split(2);
    }

    @Test
    default void splitGivesParts() {
        assertThat(counts(session().range(10, 3).split(3, true))).containsExactly(3L, 3L, 3L);
        List<MaterializedDataset> parts = session().range(10, 4).split(2);
        assertThat(counts(parts).stream().mapToLong(i -> i).sum()).isEqualTo(10);
        List<Object> all = new ArrayList<>();
        parts.forEach(part -> all.addAll(column("id", part)));
        assertThat(all)
                .isEqualTo(
                        LongStream.range(0, 10).boxed().map(Object.class::cast).toList());
        assertThat(counts(session().range(1).split(3))).containsExactlyInAnyOrder(0L, 0L, 1L);
        assertError(() -> session().range(1).split(0)).hasMessageContaining("1 or more, not 0");
    }

    @Test
    default void splitAtIndicesAndProportionately() {
        Dataset ten = session().range(10, 3);
        assertThat(counts(ten.splitAtIndices(2, 5))).containsExactly(2L, 3L, 5L);
        assertThat(counts(ten.splitAtIndices(5, 100))).containsExactly(5L, 5L, 0L);
        assertThat(counts(ten.splitProportionately(0.2, 0.5))).containsExactly(2L, 5L, 3L);
        TrainTestSplit split = ten.trainTestSplit(0.25);
        assertThat(split.train().count()).isEqualTo(7);
        assertThat(column("id", split.test())).containsExactly(7L, 8L, 9L);
        assertError(() -> ten.splitAtIndices(5, 2)).hasMessageContaining("ascend");
        assertError(() -> ten.splitProportionately(0.5, 0.5)).hasMessageContaining("sum is below 1");
        assertError(() -> ten.trainTestSplit(1)).hasMessageContaining("between 0 and 1");
    }

    @Test
    default void aStratifiedSplitHasTheSharesOfEachValue() {
        // 60 rows of 'a', 30 of 'b', 10 without a value.
        Dataset rows = session()
                .range(100, 7)
                .withColumn("kind", sql("CASE WHEN id % 10 < 6 THEN 'a' WHEN id % 10 < 9 THEN 'b' END"));
        try (TrainTestSplit split = rows.trainTestSplit(0.25, "kind")) {
            assertThat(split.train().columns()).containsExactly("id", "kind");
            assertThat(kinds(split.train())).containsExactlyInAnyOrderEntriesOf(Map.of("a", 45L, "b", 23L, "null", 8L));
            assertThat(kinds(split.test())).containsExactlyInAnyOrderEntriesOf(Map.of("a", 15L, "b", 7L, "null", 2L));
            // The last rows of each value, in their order.
            assertThat(column("id", split.test().filter("kind = 'b'")))
                    .containsExactly(78L, 86L, 87L, 88L, 96L, 97L, 98L);
        }
        try (TrainTestSplit once = rows.trainTestSplit(0.25, 7, "kind");
                TrainTestSplit again = rows.trainTestSplit(0.25, 7, "kind")) {
            assertThat(kinds(once.test())).containsExactlyInAnyOrderEntriesOf(Map.of("a", 15L, "b", 7L, "null", 2L));
            assertThat(column("id", once.test())).containsExactlyInAnyOrderElementsOf(column("id", again.test()));
            assertThat(column("id", once.test().filter("kind = 'b'")))
                    .isNotEqualTo(List.of(78L, 86L, 87L, 88L, 96L, 97L, 98L));
        }
        assertError(() -> rows.trainTestSplit(0.25, "kin"))
                .hasMessage(
                        "trainTestSplit: there is no column 'kin'. Did you mean 'kind'? The columns are [id, kind].");
        assertError(() -> rows.trainTestSplit(1.5, "kind"))
                .hasMessage("trainTestSplit: the test fraction must be between 0 and 1, not 1.5.");
        try (TrainTestSplit none = session().range(0).trainTestSplit(0.5, "id")) {
            assertThat(none.train().count() + none.test().count()).isZero();
        }
    }

    private static Map<String, Long> kinds(Dataset rows) {
        return rows.takeAll().stream()
                .collect(Collectors.groupingBy(row -> String.valueOf(row.get("kind")), Collectors.counting()));
    }

    @Test
    default void aStreamingTrainTestSplitChoosesByTheValueOfAColumn() {
        Dataset rows = session().range(3000, 7).withColumn("user", sql("CASE WHEN id > 2 THEN id % 1000 END"));
        StreamingTrainTestSplit split = rows.streamingTrainTestSplit(0.2, "user", 5);
        List<Object> test = column("user", split.test());
        List<Object> train = column("user", split.train());
        assertThat(test.size() + train.size()).isEqualTo(3000);
        assertThat(test).hasSizeBetween(450, 750).doesNotContainAnyElementsOf(train);
        // The same rows of other blocks, and of other columns.
        Dataset others = session().range(3000, 2).withColumn("user", sql("CASE WHEN id > 2 THEN id % 1000 END"));
        assertThat(column(
                        "id",
                        others.streamingTrainTestSplit(0.2, "user", 5).test().select("id")))
                .isEqualTo(column("id", split.test()));
        assertThat(column("user", rows.streamingTrainTestSplit(0.2, "user", 6).test()))
                .isNotEqualTo(test);
        assertError(() -> rows.streamingTrainTestSplit(0, "user", 1))
                .hasMessage("streamingTrainTestSplit: the test fraction must be between 0 and 1, not 0.0.");
        assertError(() -> rows.streamingTrainTestSplit(0.5, "usr", 1)).hasMessageContaining("Did you mean 'user'?");
    }

    @Test
    default void aStreamingTrainTestSplitByPlaceGivesEveryRowToOnePart() {
        Dataset rows = session().range(3000, 7).withColumn("b", col("id").times(2));
        StreamingTrainTestSplit split = rows.streamingTrainTestSplit(0.2, 5);
        List<Object> all = new ArrayList<>(column("id", split.train().select("id")));
        assertThat(split.test().count()).isBetween(450L, 750L);
        assertThat(split.test().count() + split.train().count()).isEqualTo(3000);
        column("b", split.test()).forEach(b -> all.add((Long) b / 2));
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 3000).mapToObj(id -> (Object) id).toList());
    }

    @Test
    default void streamingSplitGivesEveryRowToOneShard() throws Exception {
        List<Shard> shards = session().range(1000, 20).streamingSplit(3);
        for (int epoch = 0; epoch < 2; epoch++) {
            List<Long> all = new ArrayList<>();
            drainAll(shards).forEach(all::addAll);
            assertThat(all)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, 1000).boxed().toList());
        }
        shards.forEach(Shard::close);
    }

    @Test
    default void equalShardsGetTheSameNumberOfRows() throws Exception {
        List<Shard> shards = session().range(1000, 7).streamingSplit(3, true);
        List<List<Long>> parts = drainAll(shards);
        assertThat(parts).allMatch(part -> part.size() == 333);
        List<Long> all = new ArrayList<>();
        parts.forEach(all::addAll);
        assertThat(all).doesNotHaveDuplicates();
        shards.forEach(Shard::close);
    }

    @Test
    default void shardsGiveWholeBlocksAndCopiesToo() throws Exception {
        List<Shard> shards = session().range(1000, 8).streamingSplit(2, true);
        List<List<Batch>> kept = AtOnce.all(shards.stream()
                .<Callable<List<Batch>>>map(shard -> () -> {
                    List<Batch> batches = new ArrayList<>();
                    try (CloseableIterator<Batch> all =
                            shard.iterBatches(BatchOptions.wholeBlocks().copies())) {
                        all.forEachRemaining(batches::add);
                    }
                    return batches;
                })
                .toList());
        shards.forEach(Shard::close);
        for (List<Batch> batches : kept) {
            assertThat(batches).hasSizeGreaterThan(1);
            assertThat(batches.stream()
                            .mapToLong(batch -> batch.longs("id").toArray().length)
                            .sum())
                    .isEqualTo(500);
        }
    }

    @Test
    default void aShardKnowsItsColumnsAndFigures() throws Exception {
        Dataset rows = session().range(90, 9).map(row -> row.with("x", 1L));
        List<Shard> shards = rows.streamingSplit(3, true);
        assertThat(shards.get(2).schema().names()).containsExactly("id", "x");
        assertThat(shards.get(2).stats()).isEqualTo("Shard 2 has not been read yet.");
        assertThat(shards.get(2).lastRun()).isEmpty();
        for (int epoch = 1; epoch <= 2; epoch++) {
            drainAll(shards);
            for (Shard shard : shards) {
                assertThat(shard.stats())
                        .startsWith("Shard " + shard.index() + " of 3: 30 rows in ")
                        .contains(" blocks of epoch " + epoch + ".\n")
                        .contains("map")
                        .contains("finished in");
                assertThat(shard.lastRun().orElseThrow().outputRows()).isEqualTo(90);
            }
        }
        shards.forEach(Shard::close);
    }

    @Test
    default void shardsAreMaterialisedInOneEpoch() throws Exception {
        List<Shard> shards = session().range(100, 7).streamingSplit(3, true);
        List<Object> all = new ArrayList<>();
        for (MaterializedDataset kept : AtOnce.all(shards.stream()
                .<Callable<MaterializedDataset>>map(shard -> shard::materialize)
                .toList())) {
            try (kept) {
                assertThat(kept.count()).isEqualTo(33);
                assertThat(kept.columns()).containsExactly("id");
                assertThat(kept.stats()).contains("Range");
                all.addAll(column("id", kept));
            }
        }
        assertThat(all).hasSize(99).doesNotHaveDuplicates();
        assertThat(shards.get(1).stats()).startsWith("Shard 1 of 3: 33 rows in ");
        shards.forEach(Shard::close);
        assertError(() -> shards.get(0).materialize()).hasMessageContaining("Shard 0 was closed");
        assertThat(session().allocator().heldBytes()).isZero();
    }

    @Test
    default void epochsStartTogether() throws Exception {
        List<Shard> shards = session().range(10, 2).streamingSplit(2);
        AtomicInteger started = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        try (AtOnce atOnce = new AtOnce()) {
            Future<Void> early = atOnce.start(() -> {
                try (CloseableIterator<Row> rows = shards.get(0).iterRows()) {
                    first.countDown();
                    assertThat(rows.hasNext()).isTrue();
                    started.incrementAndGet();
                    rows.forEachRemaining(row -> {});
                }
                return null;
            });
            first.await();
            Thread.sleep(50);
            assertThat(started).hasValue(0);
            drain(shards.get(1));
            AtOnce.result(early);
        }
        assertThat(started).hasValue(1);
        shards.forEach(Shard::close);
    }

    @Test
    default void aShardThatClosesEarlyDoesNotHoldTheOthers() throws Exception {
        List<Shard> shards = session().range(10_000, 50).streamingSplit(2);
        try (AtOnce atOnce = new AtOnce()) {
            Future<List<Long>> other = atOnce.start(() -> drain(shards.get(1)));
            try (CloseableIterator<Row> rows = shards.get(0).iterRows()) {
                assertThat(rows.hasNext()).isTrue();
            }
            assertThat(AtOnce.result(other)).isNotEmpty();
        }
        shards.get(0).close();
        assertThat(drain(shards.get(1))).hasSize(10_000);
        assertError(() -> shards.get(0).iterRows()).hasMessageContaining("Shard 0 was closed");
        shards.get(1).close();
    }

    @Test
    default void aFailureReachesEveryShard() {
        List<Shard> shards = session()
                .range(100, 10)
                .map(row -> {
                    throw new IllegalStateException("boom");
                })
                .streamingSplit(2);
        assertError(() -> drainAll(shards)).hasMessageContaining("boom");
        shards.forEach(Shard::close);
    }
}
