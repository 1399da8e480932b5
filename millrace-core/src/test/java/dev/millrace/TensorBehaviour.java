package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.DirectTensor;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.testing.AtOnce;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Batches of tensors.
interface TensorBehaviour extends Behaviour {
    private static void forEach(Dataset dataset, TensorBatchOptions options, Consumer<TensorBatch> action) {
        try (CloseableIterator<TensorBatch> batches = dataset.iterTensorBatches(options)) {
            batches.forEachRemaining(action);
        }
    }

    private static void first(Dataset dataset, TensorBatchOptions options, Consumer<TensorBatch> action) {
        try (CloseableIterator<TensorBatch> batches = dataset.iterTensorBatches(options)) {
            action.accept(batches.next());
        }
    }

    private static List<Long> longs(DirectTensor tensor) {
        List<Long> values = new ArrayList<>();
        for (LongBuffer buffer = tensor.longs(); buffer.hasRemaining(); ) {
            values.add(buffer.get());
        }
        return values;
    }

    private static float[] floats(DirectTensor tensor) {
        float[] values = new float[Math.toIntExact(tensor.elements())];
        tensor.floats().get(values);
        return values;
    }

    @Test
    default void numbersComeInBatchesAcrossBlocks() {
        List<Long> seen = new ArrayList<>();
        List<Long> sizes = new ArrayList<>();
        forEach(session().range(100, 7), TensorBatchOptions.batchSize(32).prefetch(2), batch -> {
            DirectTensor id = batch.tensor("id");
            assertThat(id.type()).isEqualTo(DataType.INT64);
            assertThat(id.shape()).containsExactly(batch.rows());
            assertThat(id.bytes().isDirect()).isTrue();
            assertThat(id.bytes().order()).isEqualTo(ByteOrder.nativeOrder());
            seen.addAll(longs(id));
            sizes.add(batch.rows());
        });
        assertThat(seen)
                .containsExactlyElementsOf(LongStream.range(0, 100).boxed().toList());
        assertThat(sizes).containsExactly(32L, 32L, 32L, 4L);
    }

    @Test
    default void theLastShortBatchIsLeftOutWhenAsked() {
        List<Long> sizes = new ArrayList<>();
        forEach(session().range(100, 7), TensorBatchOptions.batchSize(32).dropLast(), batch -> sizes.add(batch.rows()));
        assertThat(sizes).containsExactly(32L, 32L, 32L);
    }

    @Test
    default void aLocalShuffleGivesEachRowOnceInAnotherOrder() {
        TensorBatchOptions shuffled = TensorBatchOptions.batchSize(10).localShuffle(50, 7);
        List<Long> seen = new ArrayList<>();
        forEach(session().range(100, 4), shuffled, batch -> seen.addAll(longs(batch.tensor("id"))));
        List<Long> all = LongStream.range(0, 100).boxed().toList();
        assertThat(seen).containsExactlyInAnyOrderElementsOf(all).isNotEqualTo(all);
    }

    @Test
    default void tensorsOfOneShapeAreStacked() {
        first(session().rangeTensor(6, 2, 3), TensorBatchOptions.batchSize(4), batch -> {
            DirectTensor data = batch.tensor("data");
            assertThat(data.shape()).containsExactly(4, 2, 3);
            assertThat(data.toString()).isEqualTo(data.type() + " [4, 2, 3]");
            assertThat(data.row(3).shape()).containsExactly(2, 3);
            assertThat(data.row(3).getLong(5)).isEqualTo(3);
            assertThat(batch.toString()).startsWith("data: ");
        });
    }

    @Test
    default void columnsAndTypesAreChosen() {
        Dataset data = session()
                .items(
                        Row.of("x", 1, "label", 1L, "path", "a"),
                        Row.of("x", 2, "label", 0L, "path", "b"),
                        Row.of("x", 3, "label", 1L, "path", "c"));
        TensorBatchOptions options = TensorBatchOptions.batchSize(3)
                .columns("label", "x")
                .dtype("label", DataType.FLOAT32)
                .dtype("x", DataType.FLOAT16);
        first(data, options, batch -> {
            assertThat(batch.names()).containsExactly("label", "x");
            assertThat(floats(batch.tensor("label"))).containsExactly(1, 0, 1);
            assertThat(Float.float16ToFloat(batch.tensor("x").shorts().get(2))).isEqualTo(3);
            assertError(() -> batch.tensor("x").floats())
                    .hasMessage("Tensor 'x' is of float16, which floats() does not show: ask for another type with"
                            + " dtype(\"x\", float32), or use bytes().");
            assertError(() -> batch.tensor("path"))
                    .hasMessage("There is no tensor 'path' in this batch. The tensors are label: float32 [3], x:"
                            + " float16 [3].");
        });
        assertError(() -> first(data, TensorBatchOptions.batchSize(3).columns("lable"), batch -> {}))
                .hasMessageContaining("'lable'");
        assertError(() -> first(
                        data, TensorBatchOptions.batchSize(3).columns("x").dtype("y", DataType.INT8), batch -> {}))
                .hasMessage("iterTensorBatches: the options speak of [y], but the columns are [x].");
        assertError(() -> TensorBatchOptions.defaults().dtype("x", DataType.UTF8))
                .hasMessage("dtype: a tensor holds integers, floats or booleans, not utf8.");
    }

    @Test
    default void aValueThatDoesNotFitItsTypeIsAnError() {
        assertError(() -> first(
                        session().items(Row.of("x", 300L)),
                        TensorBatchOptions.batchSize(1).dtype("x", DataType.UINT8),
                        batch -> {}))
                .hasMessageContaining("the int64 value 300 does not fit uint8");
    }

    @Test
    default void textIsAnErrorUnlessItIsKept() {
        Dataset data = session().items(Row.of("x", 1, "path", "a"), Row.of("x", 2, "path", null));
        assertError(() -> first(data, TensorBatchOptions.batchSize(2), batch -> {}))
                .hasMessage("iterTensorBatches: column 'path' is of utf8, which no tensor holds: encode it as numbers,"
                        + " leave it out with columns(...), or keep it beside the tensors with keepStrings().");
        first(data, TensorBatchOptions.batchSize(2).keepStrings(), batch -> {
            assertThat(batch.names()).containsExactly("x");
            assertThat(batch.strings("path")).containsExactly("a", null);
        });
    }

    @Test
    default void nullsAreAnErrorUnlessTheyAreFilled() {
        Dataset data = session().items(Row.of("x", 1.5), Row.of("x", null), Row.of("x", 2.5));
        assertError(() -> first(data, TensorBatchOptions.batchSize(3), batch -> {}))
                .hasMessage("iterTensorBatches: column 'x' has 1 null in this batch, and a tensor has none: give them a"
                        + " value with fillNulls(\"x\", 0), or drop those rows before with"
                        + " filter(col(\"x\").isNotNull()).");
        TensorBatchOptions filled =
                TensorBatchOptions.batchSize(3).fillNulls(Double.NaN).dtype(DataType.FLOAT32);
        first(data, filled, batch -> assertThat(floats(batch.tensor("x"))).containsExactly(1.5f, Float.NaN, 2.5f));
    }

    @Test
    default void listsOfOneLengthAreStackedAndOthersPadded() {
        Dataset data = session()
                .items(List.of(
                        Row.of("tokens", List.of(1L, 2L, 3L)),
                        Row.of("tokens", List.of(4L)),
                        Row.of("tokens", List.of(5L, 6L))));
        assertError(() -> first(data, TensorBatchOptions.batchSize(3), batch -> {}))
                .hasMessage("iterTensorBatches: the values of column 'tokens' differ in shape in this batch, [3] and"
                        + " [1]: pad them with pad(\"tokens\", 0) or padTo, or bring them to one shape before.");
        TensorBatchOptions padded = TensorBatchOptions.batchSize(3)
                .pad("tokens", -1)
                .mask("tokens", "attention")
                .lengths("tokens", "length");
        first(data, padded, batch -> {
            assertThat(batch.tensor("tokens").shape()).containsExactly(3, 3);
            assertThat(longs(batch.tensor("tokens"))).containsExactly(1L, 2L, 3L, 4L, -1L, -1L, 5L, 6L, -1L);
            assertThat(longs(batch.tensor("attention"))).containsExactly(1L, 1L, 1L, 1L, 0L, 0L, 1L, 1L, 0L);
            assertThat(longs(batch.tensor("length"))).containsExactly(3L, 1L, 2L);
        });
        first(data, TensorBatchOptions.batchSize(3).padTo("tokens", 0, 5), batch -> {
            assertThat(batch.tensor("tokens").shape()).containsExactly(3, 5);
            assertThat(longs(batch.tensor("tokens")))
                    .containsExactly(1L, 2L, 3L, 0L, 0L, 4L, 0L, 0L, 0L, 0L, 5L, 6L, 0L, 0L, 0L);
        });
        assertError(() -> first(data, TensorBatchOptions.batchSize(3).padTo("tokens", 0, 2), batch -> {}))
                .hasMessage(
                        "iterTensorBatches: column 'tokens' has values of up to [3] in this batch, more than padTo[2]:"
                                + " ask for a larger shape, or cut them before.");
        Dataset equal = session().items(List.of(Row.of("t", List.of(1L, 2L)), Row.of("t", List.of(3L, 4L))));
        first(equal, TensorBatchOptions.batchSize(2), batch -> {
            assertThat(batch.tensor("t").shape()).containsExactly(2, 2);
            assertThat(longs(batch.tensor("t"))).containsExactly(1L, 2L, 3L, 4L);
        });
    }

    @Test
    default void tensorsOfAnyShapeArePaddedInEachDimension() {
        Dataset data = session()
                .items(List.of(
                        Row.of("image", Tensor.ofUnsigned(new byte[] {1, 2, 3, 4, 5, 6}, 2, 3)),
                        Row.of("image", Tensor.ofUnsigned(new byte[] {7, 8, 9}, 3, 1))));
        TensorBatchOptions padded = TensorBatchOptions.batchSize(2)
                .pad(0)
                .dtype("image", DataType.FLOAT32)
                .lengths("image", "size")
                .mask("image", "mask");
        first(data, padded, batch -> {
            assertThat(batch.tensor("image").shape()).containsExactly(2, 3, 3);
            assertThat(floats(batch.tensor("image")))
                    .containsExactly(1, 2, 3, 4, 5, 6, 0, 0, 0, 7, 0, 0, 8, 0, 0, 9, 0, 0);
            assertThat(longs(batch.tensor("size"))).containsExactly(2L, 3L, 3L, 1L);
            assertThat(longs(batch.tensor("mask")))
                    .containsExactly(1L, 1L, 1L, 1L, 1L, 1L, 0L, 0L, 0L, 1L, 0L, 0L, 1L, 0L, 0L, 1L, 0L, 0L);
        });
    }

    @Test
    default void booleansTimesAndDecimalsBecomeNumbersWhereTheyAreAskedFor() {
        Dataset data = session()
                .items(
                        Row.of("ok", true, "day", LocalDate.of(1970, 1, 3), "price", new BigDecimal("1.25")),
                        Row.of("ok", false, "day", LocalDate.of(1970, 1, 2), "price", new BigDecimal("2.50")));
        assertError(() -> first(data, TensorBatchOptions.batchSize(2).columns("day"), batch -> {}))
                .hasMessage("iterTensorBatches: column 'day' is of date, which no tensor holds: ask for its number with"
                        + " dtype(\"day\", DataType.INT64), or leave it out with columns(...).");
        TensorBatchOptions options =
                TensorBatchOptions.batchSize(2).dtype("day", DataType.INT64).dtype("price", DataType.FLOAT32);
        first(data, options, batch -> {
            assertThat(batch.tensor("ok").type()).isEqualTo(DataType.BOOL);
            assertThat(batch.tensor("ok").bytes().get(0)).isEqualTo((byte) 1);
            assertThat(batch.tensor("ok").bytes().get(1)).isEqualTo((byte) 0);
            assertThat(longs(batch.tensor("day"))).containsExactly(2L, 1L);
            assertThat(floats(batch.tensor("price"))).containsExactly(1.25f, 2.5f);
        });
        first(
                data,
                options.dtype("ok", DataType.FLOAT32),
                batch -> assertThat(floats(batch.tensor("ok"))).containsExactly(1, 0));
    }

    @Test
    default void aCollateFunctionMakesTheTensors() {
        TensorBatchOptions options = TensorBatchOptions.batchSize(4).collate((batch, out) -> {
            out.add("id");
            DirectTensor oneHot = out.add("oneHot", DataType.FLOAT32, batch.rows(), 10);
            for (int row = 0; row < batch.rows(); row++) {
                oneHot.floats().put(row * 10 + (int) batch.longs("id").get(row), 1);
            }
            out.addStrings("names", batch.rows() + " rows");
        });
        first(session().range(10, 2), options, batch -> {
            assertThat(longs(batch.tensor("id"))).containsExactly(0L, 1L, 2L, 3L);
            float[] values = floats(batch.tensor("oneHot"));
            assertThat(IntStream.range(0, values.length)
                            .filter(i -> values[i] == 1)
                            .toArray())
                    .containsExactly(0, 11, 22, 33);
            assertThat(batch.strings("names")).containsExactly("4 rows");
        });
        assertError(() -> first(
                        session().range(10),
                        TensorBatchOptions.batchSize(4).collate((batch, out) -> {
                            throw new IllegalStateException("no");
                        }),
                        batch -> {}))
                .hasMessage("iterTensorBatches: the collate function failed: java.lang.IllegalStateException: no");
    }

    @Test
    default void aTensorEndsWithItsBatch() {
        try (CloseableIterator<TensorBatch> batches =
                session().range(10, 1).iterTensorBatches(TensorBatchOptions.batchSize(4))) {
            DirectTensor first = batches.next().tensor("id");
            assertThat(first.longs().get(0)).isZero();
            batches.next();
            assertError(first::longs).hasMessageContaining("was used after");
        }
    }

    @Test
    default void aFunctionGetsTheTensorsOfItsBatch() {
        Dataset sums = session().range(100, 4).mapBatches(batch -> {
            DirectTensor id = Tensors.of(batch, TensorBatchOptions.defaults().dtype(DataType.FLOAT32))
                    .tensor("id");
            float sum = 0;
            for (float value : floats(id)) {
                sum += value;
            }
            return batch.slice(0, 1).with("sum", new float[] {sum}).select("sum");
        });
        double all =
                sums.takeAll().stream().mapToDouble(row -> row.getFloat("sum")).sum();
        assertThat(all).isEqualTo(4950);
    }

    @Test
    default void copiesOfTensorsStayValidAndAreTheCallersOwn() {
        List<TensorBatchOptions> ways = List.of(
                TensorBatchOptions.batchSize(32).copies(),
                TensorBatchOptions.batchSize(32).prefetch(0).copies(),
                TensorBatchOptions.wholeBlocks().copies().lengths("data", "sizes"),
                TensorBatchOptions.batchSize(32).copies().collate((batch, out) -> {
                    out.add("data");
                    out.add("more", DataType.INT8, 2);
                }));
        for (TensorBatchOptions options : ways) {
            List<TensorBatch> kept = new ArrayList<>();
            forEach(session().rangeTensor(100, 2), options, kept::add);
            assertThat(session().allocator().heldBytes()).isZero();
            List<Long> seen = new ArrayList<>();
            for (TensorBatch batch : kept) {
                assertThat(batch.tensors()).allMatch(DirectTensor::isWritable);
                seen.addAll(longs(batch.tensor("data")));
                batch.tensor("data").longs().put(0, -1);
            }
            assertThat(seen)
                    .containsExactlyElementsOf(
                            LongStream.range(0, 200).map(i -> i / 2).boxed().toList());
        }
    }

    @Test
    default void tensorsOfAFunctionMayBeKeptAsCopies() {
        try (CloseableIterator<Batch> batches = session().range(10, 1).iterBatches(5)) {
            Batch first = batches.next();
            TensorBatch kept = Tensors.of(first, TensorBatchOptions.defaults().copies());
            TensorBatch ending = Tensors.of(first, TensorBatchOptions.defaults());
            batches.next();
            assertThat(longs(kept.tensor("id"))).containsExactly(0L, 1L, 2L, 3L, 4L);
            assertError(() -> ending.tensor("id").longs()).hasMessageContaining("iterBatches");
        }
    }

    @Test
    default void aWholeBlockIsOneBatchOfTensors() {
        List<Long> sizes = new ArrayList<>();
        forEach(session().range(90, 3), TensorBatchOptions.wholeBlocks(), batch -> sizes.add(batch.rows()));
        assertThat(sizes).containsExactly(30L, 30L, 30L);
    }

    @Test
    default void shardsGiveTensorsToo() throws Exception {
        List<Shard> shards = session().range(100, 8).streamingSplit(2, true);
        List<Callable<Integer>> readers = new ArrayList<>();
        for (Shard shard : shards) {
            readers.add(() -> {
                int count = 0;
                try (CloseableIterator<TensorBatch> batches =
                        shard.iterTensorBatches(TensorBatchOptions.batchSize(20))) {
                    while (batches.hasNext()) {
                        count += (int) batches.next().tensor("id").elements();
                    }
                }
                return count;
            });
        }
        assertThat(AtOnce.all(readers)).containsExactly(50, 50);
        shards.forEach(Shard::close);
    }

    @Test
    default void anIterationThatEndsEarlyHoldsNothing() {
        try (CloseableIterator<TensorBatch> batches = session()
                .rangeTensor(1000, 32, 32)
                .iterTensorBatches(TensorBatchOptions.batchSize(16).prefetch(3).dtype(DataType.FLOAT32))) {
            assertThat(Arrays.stream(batches.next().tensor("data").shape()).toArray())
                    .containsExactly(16, 32, 32);
        }
    }
}
