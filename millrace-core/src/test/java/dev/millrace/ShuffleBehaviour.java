package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static dev.millrace.Behaviour.column;
import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.relation.SortKey;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Rows in another order, or in other blocks.
interface ShuffleBehaviour extends Behaviour {
    private static List<Object> ids(long rows) {
        return LongStream.range(0, rows).<Object>mapToObj(id -> id).toList();
    }

    /// The rows of each block.
    private static List<Long> sizes(Dataset dataset) {
        try (MaterializedDataset blocks = dataset.materialize()) {
            return blocks.blockReferences().stream().map(slice -> slice.rows()).toList();
        }
    }

    /// The values of a column, block by block.
    private List<List<Object>> blocks(Dataset dataset, String column) {
        List<List<Object>> values = new ArrayList<>();
        try (MaterializedDataset kept = dataset.materialize()) {
            for (BlockSlice slice : kept.blockReferences()) {
                try (Block block = session().executions().runtime().get(slice)) {
                    List<Object> ofBlock = new ArrayList<>();
                    for (long row = 0; row < block.rows(); row++) {
                        ofBlock.add(block.column(column).value(row));
                    }
                    values.add(ofBlock);
                }
            }
        }
        return values;
    }

    @Test
    default void repartitionSpreadsRowsEvenlyAndKeepsTheirOrder() {
        assertThat(sizes(session().range(10).repartition(3))).containsExactly(4L, 3L, 3L);
        assertThat(sizes(session().range(10, 7).repartition(1))).containsExactly(10L);
        assertThat(sizes(session().range(2).repartition(4))).containsExactly(1L, 1L, 0L, 0L);
        assertThat(column("id", session().range(1000, 7).repartition(13))).isEqualTo(ids(1000));
        assertThat(sizes(session().range(9).filter(col("id").lt(0)).repartition(2)))
                .containsExactly(0L, 0L);
        assertThat(session().range(10).repartition(3).count()).isEqualTo(10);
        assertThat(session().range(10).filter(col("id").lt(0)).repartition(2).columns())
                .containsExactly("id");
        assertError(() -> session().range(1).repartition(0))
                .hasMessage("repartition: the number of blocks must be 1 or more, not 0.");
    }

    @Test
    default void shuffledRepartitionGivesEachBlockAPartOfEveryBlockBefore() {
        assertThat(blocks(session().range(10, 4).repartition(3).shuffled(), "id"))
                .containsExactly(List.of(0L, 3L, 6L, 9L), List.of(1L, 4L, 7L), List.of(2L, 5L, 8L));
        List<List<Object>> spread =
                blocks(session().range(1000, 10).repartition(4).shuffled(), "id");
        assertThat(spread)
                .hasSize(4)
                .allSatisfy(block -> assertThat(block)
                        .hasSize(250)
                        .extracting(id -> (long) id / 100)
                        .containsOnly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L));
        assertThat(sizes(session().range(2).repartition(5).shuffled())).containsExactly(1L, 1L, 0L, 0L, 0L);
        assertThat(session().range(10).repartition(3).shuffled().count()).isEqualTo(10);
        assertThat(session().range(10).repartition(3).shuffled().explain()).contains("Repartition[3 blocks, shuffled]");
    }

    @Test
    default void repartitionOfAMaterialisedDatasetLeavesItAsItWas() {
        try (MaterializedDataset kept = session().range(100, 5).materialize()) {
            assertThat(column("id", kept.repartition(3))).isEqualTo(ids(100));
            assertThat(column("id", kept.randomShuffle(1))).containsExactlyInAnyOrderElementsOf(ids(100));
            assertThat(column("id", kept)).isEqualTo(ids(100));
        }
    }

    @Test
    default void repartitionByRowsCutsAndIfExactJoins() {
        assertThat(sizes(session().range(10, 1).repartitionRows(4))).containsExactly(4L, 4L, 2L);
        assertThat(sizes(session().range(10, 5).repartitionRows(4))).containsExactly(2L, 2L, 2L, 2L, 2L);
        assertThat(sizes(session().range(10, 4).repartitionRows(4, true))).containsExactly(4L, 4L, 2L);
        assertThat(sizes(session().range(12, 1).repartitionRows(4, true))).containsExactly(4L, 4L, 4L);
        assertThat(column("id", session().range(1000, 7).repartitionRows(33, true)))
                .isEqualTo(ids(1000));
        assertThat(column("id", session().range(1000, 7).repartitionRows(33))).isEqualTo(ids(1000));
        assertThat(column(
                        "id", session().range(1000, 7).repartitionRows(33, true).limit(40)))
                .isEqualTo(ids(40));
        assertThat(column("id", session().range(1000, 7).repartitionRows(33).limit(40)))
                .isEqualTo(ids(40));
        assertThat(session().range(0).repartitionRows(5, true).takeAll()).isEmpty();
        assertError(() -> session().range(1).repartitionRows(0))
                .hasMessage("repartitionRows: blocks must have 1 row or more, not 0.");
    }

    @Test
    default void repartitionByKeysBringsEqualKeysTogether() {
        Dataset rows = session().range(500, 7).map(row -> Row.of("k", row.getLong("id") % 50, "v", row.getLong("id")));
        Map<Object, Integer> blockOf = new HashMap<>();
        List<List<Object>> blocks = blocks(rows.repartition(6, "k"), "k");
        for (int i = 0; i < blocks.size(); i++) {
            for (Object key : blocks.get(i)) {
                int block = i;
                assertThat(blockOf.computeIfAbsent(key, _ -> block)).isEqualTo(block);
            }
        }
        assertThat(blockOf).hasSize(50);
        assertThat(column("v", rows.repartition(6, "k"))).containsExactlyInAnyOrderElementsOf(ids(500));
        assertThat(sizes(rows.repartition(6, "k"))).hasSize(6);
        assertError(() -> session().range(5).repartition(2, "x")).hasMessageContaining("id");
        assertError(() -> rows.repartition(2, "x").takeAll())
                .hasMessageContaining("'x'")
                .hasMessageContaining("k, v");
    }

    @Test
    default void keysThatAreEqualByValueShareABlock() {
        Dataset rows = session()
                .items(
                        Row.of("k", 0.0),
                        Row.of("k", -0.0),
                        Row.of("k", Double.NaN),
                        Row.of("k", -Double.NaN),
                        Row.of("k", null),
                        Row.of("k", null),
                        Row.of("k", 1.5));
        List<List<Object>> blocks = blocks(rows.repartition(64, "k"), "k");
        assertThat(blocks.stream().filter(block -> !block.isEmpty())).hasSize(4);
    }

    @Test
    default void randomShuffleRepeatsForASeedWhateverTheBlocks() {
        List<Object> once = column("id", session().range(1000, 4).randomShuffle(7));
        assertThat(once).isNotEqualTo(ids(1000)).containsExactlyInAnyOrderElementsOf(ids(1000));
        assertThat(column("id", session().range(1000, 4).randomShuffle(7))).isEqualTo(once);
        assertThat(column("id", session().range(1000, 9).randomShuffle(7))).isEqualTo(once);
        assertThat(column("id", session().range(1000, 4).randomShuffle(8))).isNotEqualTo(once);
        assertThat(session().range(0).randomShuffle().takeAll()).isEmpty();
        assertThat(session().range(0).randomShuffle().columns()).containsExactly("id");
        assertThat(column("id", session().range(1000, 4).randomShuffle(7).limit(10)))
                .isEqualTo(once.subList(0, 10));
    }

    @Test
    default void aShuffledSplitTakesItsTestRowsFromEverywhere() {
        try (TrainTestSplit parts = session().range(100, 3).trainTestSplit(0.25, 5)) {
            List<Object> test = column("id", parts.test());
            assertThat(test).hasSize(25).isNotEqualTo(ids(100).subList(75, 100));
            List<Object> all = new ArrayList<>(column("id", parts.train()));
            all.addAll(test);
            assertThat(all).containsExactlyInAnyOrderElementsOf(ids(100));
        }
    }

    @Test
    default void randomizeBlockOrderMovesWholeBlocks() {
        List<Object> once = column("id", session().range(1000, 10).randomizeBlockOrder(3));
        assertThat(once).isNotEqualTo(ids(1000)).containsExactlyInAnyOrderElementsOf(ids(1000));
        for (int i = 0; i < 1000; i += 100) {
            long first = (Long) once.get(i);
            assertThat(once.subList(i, i + 100)).isEqualTo(ids(1000).subList((int) first, (int) first + 100));
        }
        assertThat(column("id", session().range(1000, 10).randomizeBlockOrder(3)))
                .isEqualTo(once);
    }

    @Test
    default void sortPutsNaNAfterNumbersAndNullLastInBothDirections() {
        Dataset rows = session()
                .items(
                        Row.of("x", 2.0),
                        Row.of("x", null),
                        Row.of("x", Double.NaN),
                        Row.of("x", 3.0),
                        Row.of("x", 1.0));
        assertThat(column("x", rows.sort("x"))).containsExactly(1.0, 2.0, 3.0, Double.NaN, null);
        assertThat(column("x", rows.sort(SortKey.descending("x")))).containsExactly(3.0, 2.0, 1.0, Double.NaN, null);
        Dataset text = session().items("b", "a", "", "A", "é", "ab");
        assertThat(column("item", text.sort("item"))).containsExactly("", "A", "a", "ab", "b", "é");
    }

    @Test
    default void sortKnowsManyKeysAndKeepsTheOrderOfEqualRows() {
        Dataset rows = session()
                .range(1000, 7)
                .withColumn("a", col("id").mod(3))
                .withColumn("b", col("id").mod(5));
        List<Row> sorted =
                rows.sort(SortKey.descending("a"), SortKey.ascending("b")).takeAll();
        List<Row> expected = new ArrayList<>(rows.takeAll());
        expected.sort(
                Comparator.comparingLong((Row row) -> -row.getLong("a")).thenComparingLong(row -> row.getLong("b")));
        assertThat(sorted).isEqualTo(expected);
        assertThat(column("id", rows.unordered().sort(SortKey.descending("id")).limit(3)))
                .containsExactly(999L, 998L, 997L);
        assertThat(rows.sort("a").filter(col("id").lt(10)).count()).isEqualTo(10);
        assertThat(rows.sort("a").filter(col("id").lt(10)).explain()).contains("Sort[a]\n+- Project[", "Filter[");
        assertThat(rows.sort("a").select("b").count()).isEqualTo(1000);
        assertThat(session().range(0).sort("id").takeAll()).isEmpty();
    }

    @Test
    default void boundariesDecideTheBlocksOfASort() {
        Dataset rows = session().range(20, 4).randomShuffle(1);
        assertThat(blocks(rows.sort(List.of(SortKey.ascending("id")), List.of(5, 6, 18)), "id"))
                .containsExactly(
                        ids(20).subList(0, 5), ids(20).subList(5, 6), ids(20).subList(6, 18), ids(20).subList(18, 20));
        assertThat(sizes(rows.sort(List.of(SortKey.descending("id")), List.of(15, -3))))
                .containsExactly(4L, 16L, 0L);
        assertError(() -> rows.sort(List.of(SortKey.ascending("id")), List.of(7, 5)))
                .hasMessage("sort: the boundaries [7, 5] do not stand in the order of id, each once.");
        assertError(() -> rows.sort(List.of(SortKey.ascending("id")), List.of()))
                .hasMessage("sort: give at least one boundary, or sort without any.");
        assertError(() -> rows.map(row -> row).sort(List.of(SortKey.ascending("id")), List.of(5)))
                .hasMessageContaining("Materialize the dataset first");
    }

    @Test
    default void sortByAMissingColumnOrOneWithoutOrderIsAnErrorAtTheCall() {
        assertError(() -> session().range(1).sort("zz"))
                .hasMessageContaining("'zz'")
                .hasMessageContaining("id");
        assertError(() -> session().range(1).sort("id", "id")).hasMessageContaining("twice");
        assertError(() -> session().range(1).sort(new String[0]))
                .hasMessage("sort: give at least one column to sort by.");
        Dataset lists = session().items(Row.of("a", List.of(1, 2)));
        assertError(() -> lists.sort("a"))
                .hasMessage("sort: the column 'a' is list<int32>, whose values have no order. Sort by a column of"
                        + " numbers, text or times, or by one that an expression makes of it.");
        assertError(() -> session().range(1).map(row -> row).sort("zz").takeAll())
                .hasMessageContaining("'zz'")
                .hasMessageContaining("id");
    }

    @Test
    default void columnsThatFunctionsMakeOfDifferentTypesAreSortedByTheirCommonOne() {
        Dataset rows = session()
                .range(100, 10)
                .map(row ->
                        Row.of("x", row.getLong("id") < 50 ? (Object) (-row.getLong("id")) : row.getLong("id") / 2.0));
        List<Object> sorted = column("x", rows.sort("x"));
        assertThat(sorted).hasSize(100);
        double before = Double.NEGATIVE_INFINITY;
        for (Object value : sorted) {
            assertThat(((Number) value).doubleValue()).isGreaterThanOrEqualTo(before);
            before = ((Number) value).doubleValue();
        }
    }

    @Test
    default void shufflesFollowEachOtherAndMeetOtherVerbs() {
        Dataset rows = session()
                .range(300, 5)
                .withColumn("k", col("id").mod(7))
                .repartition(4, "k")
                .randomShuffle(1)
                .filter(col("id").lt(100))
                .repartition(2);
        assertThat(column("id", rows)).containsExactlyInAnyOrderElementsOf(ids(100));
        assertThat(rows.union(rows).count()).isEqualTo(200);
        assertThat(column("id", rows.zip(rows).limit(3))).hasSize(3);
        assertThat(rows.explain()).contains("Exchange[randomShuffle -> filter(id < 100)] map tasks, then reduce tasks");
    }

    @Test
    default void aShuffleThatNobodyReadsToTheEndFreesItsShards() {
        try (CloseableIterator<Row> rows =
                session().range(10_000, 20).randomShuffle(1).iterRows()) {
            assertThat(rows.hasNext()).isTrue();
        }
        assertThat(session().range(1000, 9).randomShuffle(5).limit(0).takeAll()).isEmpty();
    }
}
