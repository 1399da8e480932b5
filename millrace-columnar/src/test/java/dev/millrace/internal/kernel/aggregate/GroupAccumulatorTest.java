package dev.millrace.internal.kernel.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.arrow.IpcReader;
import dev.millrace.arrow.IpcWriter;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.RandomValues;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Buffer;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.PlainAggregates;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The [GroupAccumulator] of every aggregate, made of rows in any pieces and merged in any tree, against
/// [PlainAggregates] of all rows at once. Between the steps, states go through bytes now and then, as those that are
/// spilled or sent do.
class GroupAccumulatorTest {
    private static final int CASES = 25;
    private static final int MAX_ROWS = 90;

    @ParameterizedTest
    @EnumSource(AggregateFunction.class)
    void mergedPiecesAreAsOnePass(AggregateFunction function) {
        RandomCase.check("GroupAccumulator of " + function.verb(), CASES, MAX_ROWS, each -> {
            Case one = new Case(each, each.oneOf(AggregateTable.of(function)), function);
            one.check(one.inPieces());
        });
    }

    /// The states that go on from block to block.
    @ParameterizedTest
    @EnumSource(AggregateFunction.class)
    void runsAreAsOnePass(AggregateFunction function) {
        RandomCase.check("GroupRun of " + function.verb(), CASES, MAX_ROWS, each -> {
            Case one = new Case(each, each.oneOf(AggregateTable.of(function)), function);
            one.check(one.inRuns());
        });
    }

    /// Makes blocks of states of the rows of some blocks.
    private interface Way {
        void make(List<Block> pieces, List<Block> states) throws Exception;
    }

    /// Rows with keys, or none, and one aggregate of them.
    private static final class Case {
        private final RandomCase each;
        private final Aggregate aggregate;
        private final boolean ordered;
        private final GroupedBlocks grouping;
        private final List<Field> fields = new ArrayList<>();
        private final List<List<Object>> columns = new ArrayList<>();
        private final DataType type;

        Case(RandomCase each, Aggregate aggregate, AggregateFunction function) {
            this.each = each;
            this.aggregate = aggregate;
            this.ordered = AggregateTable.isOrdered(function);
            this.type = each.oneOf(AggregateTable.typesOf(function));
            List<String> keys = new ArrayList<>();
            for (int i = each.random().nextInt(3); i > 0; i--) {
                keys.add("k" + i);
                add("k" + i, each.oneOf(RandomValues.types()), each.random().nextBoolean());
            }
            // Squares of large numbers are beyond floats, and sums of 38 digits beyond their type on the way.
            boolean narrow = function == AggregateFunction.STD
                    || function == AggregateFunction.VARIANCE
                    || type.equals(DataType.decimal(38, 2));
            add("v", type, narrow || each.random().nextInt(3) > 0);
            this.grouping = new GroupedBlocks(keys, List.of(aggregate));
            each.about(aggregate + " " + aggregate.arguments() + " of " + each.rows() + " rows of " + fields + " by "
                    + keys);
        }

        private void add(String name, DataType of, boolean small) {
            boolean coded = each.rarely(5)
                    && !(of instanceof DataType.Dictionary)
                    && !(of instanceof DataType.Null)
                    && Types.hasOrder(of);
            fields.add(new Field(name, coded ? DataType.dictionary(of) : of));
            columns.add(each.values(of, each.rows(), small));
        }

        /// Each piece by itself.
        Way inPieces() {
            return (pieces, made) -> {
                for (Block piece : pieces) {
                    made.add(
                            each.rarely(4) && !grouping.keys().isEmpty()
                                    ? grouping.each(each.allocator(), piece)
                                    : grouping.accumulate(each.allocator(), piece));
                }
            };
        }

        /// Some pieces after each other in one run.
        Way inRuns() {
            return (pieces, made) -> {
                long mostBytes = each.random().nextBoolean() ? Long.MAX_VALUE : 1;
                try (GroupRun run = new GroupRun(each.allocator(), grouping, mostBytes)) {
                    for (Block piece : pieces) {
                        run.add(piece, made::add);
                        if (each.rarely(4)) {
                            run.flush(made::add);
                        }
                    }
                    run.flush(made::add);
                }
            };
        }

        void check(Way way) throws Exception {
            Map<List<Object>, PlainAggregates.Result> expected;
            try {
                expected = expected();
            } catch (PlainAggregates.SumOverflow e) {
                assertThatThrownBy(() -> result(way).close())
                        .isInstanceOf(MillraceException.class)
                        .hasMessageContaining("sum(v): the sum of the column 'v' is ")
                        .hasMessageContaining("beyond ");
                return;
            }
            try (Block result = result(way)) {
                same(result, expected);
            }
        }

        private Block result(Way way) throws Exception {
            List<Block> states = new ArrayList<>();
            List<Block> pieces = new ArrayList<>();
            try {
                try (Block rows = each.block(fields, columns)) {
                    pieces.addAll(each.pieces(rows, 6));
                }
                way.make(pieces, states);
                merge(states);
                return grouping.finish(each.allocator(), states.getFirst());
            } finally {
                pieces.forEach(Block::close);
                states.forEach(Block::close);
            }
        }

        private Map<List<Object>, PlainAggregates.Result> expected() {
            Map<List<Object>, List<Object>> groups = new LinkedHashMap<>();
            for (int row = 0; row < each.rows(); row++) {
                List<Object> key = new ArrayList<>();
                for (int k = 0; k < grouping.keys().size(); k++) {
                    key.add(OracleValues.normal(columns.get(k).get(row)));
                }
                groups.computeIfAbsent(key, _ -> new ArrayList<>())
                        .add(columns.getLast().get(row));
            }
            Map<List<Object>, PlainAggregates.Result> expected = new LinkedHashMap<>();
            groups.forEach((key, values) -> expected.put(key, PlainAggregates.of(aggregate, type, values)));
            return expected;
        }

        /// Puts states together a few at a time until one block is left.
        private void merge(List<Block> states) {
            if (!ordered) {
                Collections.shuffle(states, each.random());
            }
            while (states.size() > 1) {
                int at = each.random().nextInt(states.size() - 1);
                List<Block> some = states.subList(at, at + 2 + each.random().nextInt(states.size() - at - 1));
                Block made = merged(some);
                some.forEach(Block::close);
                some.clear();
                states.add(at, made);
                if (each.rarely(3)) {
                    states.set(at, throughBytes(made));
                }
            }
        }

        private Block merged(List<Block> some) {
            if (each.random().nextBoolean()) {
                return grouping.merge(each.allocator(), some);
            }
            try (Block together = Blocks.concatenate(each.allocator(), some)) {
                return each.random().nextBoolean() ? grouping.mergeAll(each.allocator(), together) : together.retain();
            }
        }

        /// As Arrow's bytes and back, as what is spilled or sent; closes the block.
        private Block throughBytes(Block block) {
            try (block) {
                Buffer bytes =
                        IpcWriter.toBuffer(block.schema(), List.of(block), IpcCompression.NONE, each.allocator());
                try (IpcReader reader = IpcReader.of(bytes, each.allocator())) {
                    Block read = reader.next();
                    return read == null ? Blocks.empty(block.schema()) : read;
                } finally {
                    bytes.release();
                }
            }
        }

        private void same(Block result, Map<List<Object>, PlainAggregates.Result> expected) {
            List<List<Object>> keys = new ArrayList<>();
            for (long row = 0; row < result.rows(); row++) {
                List<Object> key = new ArrayList<>();
                for (int k = 0; k < grouping.keys().size(); k++) {
                    key.add(OracleValues.normal(result.column(k).value(row)));
                }
                keys.add(key);
                Object ours = result.column(grouping.keys().size()).value(row);
                PlainAggregates.Result own = expected.get(key);
                assertThat(own)
                        .as("the group %s is one of %s", key, expected.keySet())
                        .isNotNull();
                assertThat(own.isMet(ours))
                        .as("of the group %s it is %s and not %s", key, ours, own.value())
                        .isTrue();
            }
            if (ordered) {
                assertThat(keys)
                        .as("groups in the order of their first rows")
                        .containsExactlyElementsOf(expected.keySet());
            } else {
                assertThat(keys).as("every group once").containsExactlyInAnyOrderElementsOf(expected.keySet());
            }
            assertThat(result.schema().field(grouping.keys().size()).type())
                    .isEqualTo(AggregateTypes.result(Schema.of(fields), grouping.keys(), grouping.aggregates())
                            .field(grouping.keys().size())
                            .type());
        }
    }

    /// What fits in the end is found, however far beyond int64 a sum was on the way, in whatever piece.
    @Test
    void sumsOfIntegersMayGoBeyondTheirTypeOnTheWay() {
        RandomCase.check("SumAccumulator and WideSums", 80, 40, each -> {
            List<Object> values = new ArrayList<>();
            List<Object> keys = new ArrayList<>();
            long[] sums = new long[3];
            for (int i = 0; i < each.rows(); i++) {
                long large = each.oneOf(List.of(
                        Long.MAX_VALUE,
                        Long.MIN_VALUE + 1,
                        1L << 62,
                        each.random().nextLong() | 1));
                int key = each.random().nextInt(sums.length);
                int rest = each.random().nextInt(-9, 10);
                values.addAll(List.of(large, -large, (long) rest));
                keys.addAll(List.of((long) key, (long) key, (long) key));
                sums[key] += rest;
            }
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, keys.size()).boxed().toList());
            Collections.shuffle(order, each.random());
            List<Field> fields = List.of(new Field("k", DataType.INT8), new Field("v", DataType.INT64));
            boolean keyed = each.random().nextBoolean();
            each.about(order.size() + " rows, " + (keyed ? "by key" : "all"));
            GroupedBlocks grouping = new GroupedBlocks(keyed ? List.of("k") : List.of(), List.of(Aggregates.sum("v")));
            List<Block> states = new ArrayList<>();
            List<Block> pieces;
            try (Block rows = each.block(
                    fields,
                    List.of(
                            order.stream().map(keys::get).toList(),
                            order.stream().map(values::get).toList()))) {
                pieces = each.pieces(rows, 6);
            }
            try (GroupRun run = new GroupRun(each.allocator(), grouping, Long.MAX_VALUE)) {
                for (Block piece : pieces) {
                    if (each.random().nextBoolean()) {
                        states.add(grouping.accumulate(each.allocator(), piece));
                    } else {
                        run.add(piece, states::add);
                    }
                }
                run.flush(states::add);
                try (Block merged = grouping.merge(each.allocator(), states);
                        Block result = grouping.finish(each.allocator(), merged)) {
                    for (int row = 0; row < result.rows(); row++) {
                        long expected = keyed
                                ? sums[((Number) result.column(0).value(row)).intValue()]
                                : Arrays.stream(sums).sum();
                        assertThat(result.column(keyed ? 1 : 0).value(row)).isEqualTo(expected);
                    }
                }
            } finally {
                pieces.forEach(Block::close);
                states.forEach(Block::close);
            }
        });
    }

    @Test
    void ofNoRowsCountsAreZeroAndTheOthersNull() {
        for (AggregateFunction function : AggregateFunction.values()) {
            for (Aggregate aggregate : AggregateTable.of(function)) {
                RandomCase.check("ofNothing of " + aggregate, 1, 1, each -> {
                    DataType type = each.oneOf(AggregateTable.typesOf(function));
                    GroupedBlocks grouping = new GroupedBlocks(List.of(), List.of(aggregate));
                    try (Block nothing = grouping.ofNothing(each.allocator(), Schema.of("v", type))) {
                        Object value = nothing.column(0).value(0);
                        assertThat(value)
                                .isEqualTo(
                                        switch (function) {
                                            case COUNT, COUNT_IF, COUNT_DISTINCT, APPROXIMATE_COUNT_DISTINCT -> 0L;
                                            case DEFINED -> "";
                                            default -> null;
                                        });
                    }
                });
            }
        }
    }

    /// Each sketch within what it promises, also where it is merged of many.
    @Test
    void sketchesOfManyValuesKeepTheirPromises() {
        RandomCase.check("QuantileSketch and DistinctSketch", 3, 1, each -> {
            int rows = 60_000;
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < rows; i++) {
                values.add((double) i);
            }
            Collections.shuffle(values, each.random());
            GroupedBlocks grouping = new GroupedBlocks(
                    List.of(),
                    List.of(
                            Aggregates.approximateQuantile("v", 0.3),
                            Aggregates.approximateCountDistinct("v"),
                            Aggregates.approximateTopK("v", 1)));
            List<Block> states = new ArrayList<>();
            try (Block all = each.block(List.of(new Field("v", DataType.FLOAT64)), List.of(values))) {
                for (int from = 0; from < rows; from += 4000) {
                    try (Block piece = all.slice(from, 4000)) {
                        states.add(grouping.accumulate(each.allocator(), piece));
                    }
                }
            }
            try (Block together = Blocks.concatenate(each.allocator(), states);
                    Block result = grouping.finish(each.allocator(), together)) {
                assertThat((double) result.column(0).value(0)).isBetween(0.29 * rows, 0.31 * rows);
                assertThat((long) result.column(1).value(0)).isBetween((long) (0.97 * rows), (long) (1.03 * rows));
                assertThat((List<?>) result.column(2).value(0)).hasSize(1);
            } finally {
                states.forEach(Block::close);
            }
        });
    }
}
