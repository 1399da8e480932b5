package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static dev.millrace.Behaviour.column;
import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/// Ways to consume a dataset.
interface ConsumptionBehaviour extends Behaviour {
    record Number(long id) {}

    private static List<Long> sizes(Dataset dataset, BatchOptions options) {
        List<Long> sizes = new ArrayList<>();
        dataset.forEachBatch(options, batch -> sizes.add(batch.rows()));
        return sizes;
    }

    private static List<Long> ids(Dataset dataset, BatchOptions options) {
        List<Long> ids = new ArrayList<>();
        dataset.forEachBatch(options, batch -> {
            for (long id : batch.longs("id").toArray()) {
                ids.add(id);
            }
        });
        return ids;
    }

    @Test
    default void takeGivesTwentyRowsUnlessTold() {
        assertThat(session().range(100).take()).hasSize(20);
        assertThat(session().range(100).take(3)).hasSize(3);
        assertThat(session().range(2).take()).hasSize(2);
        assertThat(session().range(0).take(5)).isEmpty();
        assertError(() -> session().range(3).take(-1)).hasMessageContaining("0 or more, not -1");
    }

    @Test
    default void takeAllStopsAtItsLimit() {
        assertThat(session().range(5).takeAll(5)).hasSize(5);
        assertError(() -> session().range(10).takeAll(5))
                .hasMessage("takeAll: the dataset has more than the given limit of 5 rows.");
    }

    @Test
    default void takeBatchStaysValid() {
        Batch batch = session().range(100, 30).takeBatch(10);
        assertThat(batch.longs("id").toArray()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(session().range(100).takeBatch().rows()).isEqualTo(20);
        assertError(() -> session().range(0).takeBatch(5)).hasMessageContaining("the dataset is empty");
    }

    @Test
    default void showIsATable() {
        Dataset rows = session().items(Row.of("n", 1L, "text", "one"), Row.of("n", 10L, "text", null));
        assertThat(rows.showString(20)).isEqualTo("""
             n  text
            --  ----
             1  one
            10  null\
            """);
        assertThat(session().range(0).showString(5)).isEqualTo("id\n--\n(no rows)");
    }

    @Test
    default void countRunsNothingWhereTheSourceKnows() {
        Dataset rows =
                session().range(1000).map(row -> row.with("x", 1)).select("id").limit(10);
        assertThat(rows.count()).isEqualTo(10);
        assertThat(rows.lastRun()).isEmpty();
        assertThat(session().range(10).union(session().range(5)).count()).isEqualTo(15);
        assertThat(session().range(10).zip(session().range(10)).offset(4).count())
                .isEqualTo(6);
    }

    @Test
    default void countRunsTheRest() {
        Dataset even = session().range(1000).filter(col("id").mod(2).eq(0));
        assertThat(even.count()).isEqualTo(500);
        assertThat(even.lastRun()).isPresent();
        assertThat(session()
                        .range(10)
                        .flatMap(row -> List.of(row.copy(), row.copy()))
                        .count())
                .isEqualTo(20);
    }

    @Test
    default void schemaIsKnownOrFoundOut() {
        Dataset known = session().range(10).withColumn("x", col("id").dividedBy(2));
        assertThat(known.schema()).isEqualTo(Schema.of("id", DataType.INT64, "x", DataType.FLOAT64));
        assertThat(known.lastRun()).isEmpty();
        Dataset found = session().range(10).map(row -> Row.of("s", "x"));
        assertThat(found.columns()).containsExactly("s");
        assertThat(found.lastRun()).isPresent();
    }

    @Test
    default void sizeBytesOfARangeIsEightPerRow() {
        assertThat(session().range(1000).sizeBytes()).isEqualTo(8000);
        assertThat(session().range(1000).filter(col("id").lt(10)).sizeBytes()).isBetween(80L, 200L);
    }

    @Test
    default void sizeBytesOfALimitedReadIsItsPartOfTheEstimateAndNothingRuns() {
        Dataset some = session().range(1000).offset(10).limit(500);
        assertThat(some.sizeBytes()).isEqualTo(4000);
        assertThat(session().range(1000).limit(0).sizeBytes()).isZero();
        assertThat(some.lastRun()).isEmpty();
    }

    @Test
    default void batchesCrossBlocks() {
        assertThat(sizes(session().range(1000, 3), BatchOptions.defaults())).containsExactly(256L, 256L, 256L, 232L);
        assertThat(sizes(session().range(1000, 3), BatchOptions.of(300).dropLastShort()))
                .containsExactly(300L, 300L, 300L);
        assertThat(sizes(session().range(3), BatchOptions.of(10).dropLastShort()))
                .isEmpty();
        assertThat(ids(session().range(1000, 7), BatchOptions.of(33)))
                .isEqualTo(LongStream.range(0, 1000).boxed().toList());
        assertThat(ids(session().range(1000, 7), BatchOptions.of(33).prefetch(0)))
                .hasSize(1000);
    }

    @Test
    default void localShuffleMixesAndRepeats() {
        Dataset rows = session().range(1000, 10);
        List<Long> once = ids(rows, BatchOptions.of(64).shuffle(300, 5));
        assertThat(once).isNotEqualTo(LongStream.range(0, 1000).boxed().toList());
        assertThat(once)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 1000).boxed().toList());
        assertThat(once).isEqualTo(ids(rows, BatchOptions.of(64).shuffle(300, 5)));
        assertThat(once).isNotEqualTo(ids(rows, BatchOptions.of(64).shuffle(300, 6)));
        assertThat(sizes(rows, BatchOptions.of(64).shuffle(300, 5).dropLastShort()))
                .hasSize(15)
                .containsOnly(64L);
        assertThat(sizes(rows, BatchOptions.of(64).shuffle(5000, 5))).hasSize(16);
    }

    @Test
    default void aBatchIsValidUntilTheNextOne() {
        try (CloseableIterator<Batch> batches = session().range(10, 1).iterBatches(5)) {
            Batch first = batches.next();
            assertThat(first.longs("id").get(0)).isZero();
            Batch kept = first.copy();
            assertThat(batches.next().longs("id").get(0)).isEqualTo(5);
            assertError(() -> first.longs("id")).hasMessageContaining("iterBatches");
            assertThat(kept.longs("id").get(0)).isZero();
        }
    }

    @Test
    default void wholeBlocksComeAsTheyAre() {
        try (MaterializedDataset blocks = session().range(1000, 3).materialize()) {
            assertThat(sizes(blocks, BatchOptions.wholeBlocks()))
                    .isEqualTo(blocks.blockReferences().stream()
                            .map(BlockSlice::rows)
                            .toList())
                    .isEqualTo(sizes(blocks, BatchOptions.wholeBlocks().dropLastShort()))
                    .isEqualTo(
                            sizes(blocks, BatchOptions.wholeBlocks().prefetch(2).copies()));
            assertThat(ids(blocks, BatchOptions.wholeBlocks()))
                    .isEqualTo(LongStream.range(0, 1000).boxed().toList());
        }
        assertThat(sizes(session().range(100, 4).filter(col("id").ge(50)), BatchOptions.wholeBlocks()))
                .containsExactly(25L, 25L);
        assertError(() -> BatchOptions.wholeBlocks().shuffle(100, 1))
                .hasMessage("iterBatches: a local shuffle draws batches of some number of rows, and whole blocks have"
                        + " none: give a batch size, or leave the shuffle out.");
        assertError(() -> BatchOptions.of(0))
                .hasMessage("iterBatches: the batch size must be 1 or more rows, not 0. BatchOptions.wholeBlocks()"
                        + " gives blocks as they are.");
    }

    @Test
    default void copiesStayValidAndHoldNothingOfTheSession() {
        List<BatchOptions> ways = List.of(
                BatchOptions.of(300).copies(),
                BatchOptions.of(300).copies().prefetch(0),
                BatchOptions.of(300).copies().shuffle(500, 7),
                BatchOptions.wholeBlocks().copies());
        Dataset rows = session().range(1000, 3).map(row -> row.with("text", "row " + row.getLong("id")));
        for (BatchOptions options : ways) {
            List<Batch> kept = new ArrayList<>();
            try (CloseableIterator<Batch> batches = rows.iterBatches(options)) {
                batches.forEachRemaining(kept::add);
            }
            assertThat(session().allocator().heldBytes()).as("%s", options).isZero();
            List<String> texts = new ArrayList<>();
            for (Batch batch : kept) {
                // What is made of a copy lives as long as the copy does.
                Batch doubled = batch.mapLongs("id", id -> id * 2);
                for (int i = 0; i < batch.rows(); i++) {
                    long id = batch.longs("id").get(i);
                    assertThat(doubled.longs("id").get(i)).isEqualTo(2 * id);
                    assertThat(batch.row(i).get("text")).isEqualTo("row " + id);
                    texts.add("row " + id);
                }
            }
            assertThat(texts).hasSize(1000).doesNotHaveDuplicates();
        }
        try (CloseableIterator<Batch> left =
                rows.iterBatches(BatchOptions.of(10).copies().prefetch(3))) {
            Batch first = left.next();
            left.close();
            assertThat(first.longs("id").get(9)).isEqualTo(9);
        }
        assertThat(rows.iterBatches(BatchOptions.of(100).copies()).stream().toList())
                .hasSize(10);
    }

    @Test
    default void rowsMayBeKept() {
        List<Row> kept = new ArrayList<>();
        try (CloseableIterator<Row> rows = session().range(5, 2).iterRows()) {
            for (Row row : rows) {
                kept.add(row);
            }
            assertThat(rows.hasNext()).isFalse();
            Assertions.assertThatThrownBy(rows::next).isInstanceOf(NoSuchElementException.class);
        }
        assertThat(column("id", kept)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    default void recordsAndStreams() {
        List<Number> numbers = new ArrayList<>();
        session().range(3).forEach(Number.class, numbers::add);
        assertThat(numbers).containsExactly(new Number(0), new Number(1), new Number(2));
        try (Stream<Number> stream = session().range(100).stream(Number.class)) {
            assertThat(stream.mapToLong(Number::id).limit(5).sum()).isEqualTo(10);
        }
        try (Stream<Row> stream = session().range(10).stream()) {
            assertThat(stream.map(row -> row.getLong("id")).toList()).hasSize(10);
        }
    }

    @Test
    default void sumOfIntegersIsExact() {
        assertThat(session().range(1_000_000).sum("id")).isEqualTo(499_999_500_000L);
        Dataset large = session().items(List.of(Long.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, -5L), 2);
        assertThat(large.sum("item")).isEqualTo(Long.MAX_VALUE - 6);
        assertError(() -> session().items(Long.MAX_VALUE, 1L).sum("item"))
                .hasMessageContaining("sum(item): the sum of the column 'item' is 9223372036854775808, beyond int64.")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.DATA);
    }

    @Test
    default void aggregatesLeaveNullsOut() {
        Dataset rows = session().items(Row.of("a", 1), Row.of("a", null), Row.of("a", 4));
        assertThat(rows.sum("a")).isEqualTo(5L);
        assertThat(rows.mean("a")).isEqualTo(2.5);
        assertThat(rows.min("a")).isEqualTo(1);
        assertThat(rows.max("a")).isEqualTo(4);
        Dataset none = session().items(Row.of("a", null));
        assertThat(none.sum("a")).isNull();
        assertThat(none.mean("a")).isNull();
        assertThat(session().range(0).sum("id")).isNull();
        assertThat(session().range(0).max("id")).isNull();
    }

    @Test
    default void aggregatesOfOtherTypes() {
        Dataset rows = session()
                .items(
                        Row.of("d", 1.5, "s", "b", "m", new BigDecimal("1.10")),
                        Row.of("d", Double.NaN, "s", "a", "m", new BigDecimal("2.05")),
                        Row.of("d", 0.5, "s", "", "m", new BigDecimal("0.01")));
        assertThat(rows.min("d")).isEqualTo(0.5);
        assertThat(rows.max("d")).isEqualTo(Double.NaN);
        assertThat(rows.min("s")).isEqualTo("");
        assertThat(rows.max("s")).isEqualTo("b");
        assertThat(rows.sum("m")).isEqualTo(new BigDecimal("3.16"));
        assertThat(session()
                        .items(LocalDate.of(2024, 1, 2), LocalDate.of(2023, 1, 2))
                        .max("item"))
                .isEqualTo(LocalDate.of(2024, 1, 2));
        assertThat(session().items(0.25, 0.5).sum("item")).isEqualTo(0.75);
        assertError(() -> rows.sum("s")).hasMessage("sum(s): the column 's' is utf8, but numbers are needed.");
        assertError(() -> rows.sum("x")).hasMessageContaining("sum(x): there is no column 'x'");
    }

    @Test
    default void numBlocksOfALazyDatasetSaysToMaterialise() {
        assertError(() -> session().range(10).numBlocks()).hasMessageContaining("Call materialize() first.");
    }
}
