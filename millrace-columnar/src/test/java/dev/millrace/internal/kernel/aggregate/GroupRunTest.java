package dev.millrace.internal.kernel.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.Columns;
import dev.millrace.column.DecimalBuilder;
import dev.millrace.column.RandomValues;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Rows that come in blocks are grouped as if they came in one.
class GroupRunTest {
    private static final List<DataType> KEYS = List.of(
            DataType.BOOL,
            DataType.INT8,
            DataType.UINT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT64,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.decimal(12, 3),
            DataType.DATE,
            DataType.time(TimeUnit.SECOND),
            DataType.timestamp(TimeUnit.MICROSECOND),
            DataType.UTF8,
            DataType.BINARY);
    private static final List<DataType> NUMBERS =
            List.of(DataType.INT8, DataType.UINT32, DataType.FLOAT32, DataType.decimal(9, 2), DataType.decimal(30, 2));

    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @RepeatedTest(40)
    void blocksAreGroupedAsOne(RepetitionInfo repetition) throws Exception {
        long seed = Seeds.seed() + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        RandomValues values = new RandomValues(random);
        List<Field> fields = new ArrayList<>();
        List<List<Object>> columns = new ArrayList<>();
        int rows = random.nextInt(random.nextBoolean() ? 40 : 3000);
        int keys = random.nextInt(4);
        for (int i = 0; i < keys; i++) {
            DataType type = KEYS.get(random.nextInt(KEYS.size()));
            List<Object> different = values.values(type, 1 + random.nextInt(100), random.nextBoolean());
            fields.add(new Field("k" + i, type));
            columns.add(IntStream.range(0, rows)
                    .mapToObj(_ -> different.get(random.nextInt(different.size())))
                    .toList());
        }
        DataType number = NUMBERS.get(random.nextInt(NUMBERS.size()));
        fields.add(new Field("v", number));
        columns.add(values.values(number, rows, random.nextBoolean()));
        GroupedBlocks grouping = new GroupedBlocks(
                fields.subList(0, keys).stream().map(Field::name).toList(),
                List.of(
                        Aggregates.count(),
                        Aggregates.sum("v"),
                        Aggregates.mean("v"),
                        Aggregates.min("v"),
                        Aggregates.max("v"),
                        Aggregates.variance("v")));
        Allocator allocator = memory.allocator();
        List<Column> built = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            built.add(values.column(allocator, fields.get(i).type(), columns.get(i)));
        }
        String which = "seed " + seed + ", " + fields;
        try (Block all = Block.of(Schema.of(fields), built, rows);
                Block states = grouping.accumulate(allocator, all);
                Block expected = grouping.finish(allocator, states)) {
            // With so little memory, every stretch of rows leaves by itself.
            long mostBytes = random.nextBoolean() ? Long.MAX_VALUE : 1;
            try (Block run = inPieces(grouping, all, random, mostBytes);
                    Block result = grouping.finish(allocator, run)) {
                assertThat(comparable(result))
                        .as(which)
                        .usingRecursiveComparison()
                        .withEqualsForType(GroupRunTest::isNear, Double.class)
                        .isEqualTo(comparable(expected));
            }
        }
    }

    /// Such values are added as 64 bits, so what a broken file says must not be believed.
    @Test
    void aDecimalWithMoreDigitsThanItsTypeIsAnError() throws Exception {
        for (long[] halves : new long[][] {{7, 1}, {-7, 0}, {7, -1}, {1L << 62, 0}, {-1L << 63, -1}}) {
            for (Aggregate aggregate : List.of(Aggregates.sum("v"), Aggregates.mean("v"), Aggregates.min("v"))) {
                GroupedBlocks grouping = new GroupedBlocks(List.of(), List.of(aggregate));
                assertThatThrownBy(() -> accumulate(grouping, halves))
                        .as(aggregate + " of " + halves[1] + ", " + halves[0])
                        .hasMessage(
                                "A value of the type decimal(9, 2) has more digits than that. Whatever made it, a file or"
                                        + " a function, is wrong about its type.");
            }
            GroupedBlocks keyed = new GroupedBlocks(List.of("v"), List.of(Aggregates.count()));
            assertThatThrownBy(() -> accumulate(keyed, halves)).hasMessageContaining("more digits");
        }
    }

    private void accumulate(GroupedBlocks grouping, long[] halves) throws Exception {
        DataType type = DataType.decimal(9, 2);
        List<Block> states = new ArrayList<>();
        try (DecimalBuilder values = new DecimalBuilder(memory.allocator(), (DataType.Decimal) type, 1)) {
            values.append(halves[1], halves[0]);
            try (Block block = Block.of(Schema.of(new Field("v", type)), List.of(values.build()), 1);
                    GroupRun run = new GroupRun(memory.allocator(), grouping, Long.MAX_VALUE)) {
                run.add(block, states::add);
                run.flush(states::add);
            }
        } finally {
            states.forEach(Block::close);
        }
    }

    /// Of a hundred thousand keys the first rows have mostly others, but all rows together have few.
    @Test
    void keysThatRepeatLateAreGrouped() throws Exception {
        assertThat(emitted(400_000, 100_000)).isEqualTo(100_000);
    }

    @Test
    void keysThatHardlyRepeatBecomeAStateEach() throws Exception {
        assertThat(emitted(200_000, 2_000_000)).isGreaterThan(190_000);
    }

    private long emitted(int rows, int different) throws Exception {
        GroupedBlocks grouping = new GroupedBlocks(List.of("k"), List.of(Aggregates.count()));
        long[] keys = LongStream.range(0, rows)
                .map(i -> i * 2_654_435_761L % 4_294_967_291L % different)
                .toArray();
        long[] states = new long[1];
        Schema schema = Schema.of(new Field("k", DataType.INT64));
        try (Block block = Block.of(schema, List.of(Columns.ofLongs(memory.allocator(), keys)), rows);
                GroupRun run = new GroupRun(memory.allocator(), grouping, Long.MAX_VALUE)) {
            GroupRun.Output out = made -> {
                states[0] += made.rows();
                made.close();
            };
            run.add(block, out);
            run.flush(out);
        }
        return states[0];
    }

    private Block inPieces(GroupedBlocks grouping, Block all, Random random, long mostBytes) throws Exception {
        List<Block> states = new ArrayList<>();
        try (Block encoded = encoded(all, random);
                GroupRun run = new GroupRun(memory.allocator(), grouping, mostBytes)) {
            long from = 0;
            do {
                long count = Math.min(all.rows() - from, 1 + random.nextInt(3000));
                try (Block piece = (random.nextBoolean() ? encoded : all).slice(from, count)) {
                    run.add(piece, states::add);
                }
                from += count;
            } while (from < all.rows());
            run.flush(states::add);
            return Blocks.concatenate(memory.allocator(), states);
        } finally {
            states.forEach(Block::close);
        }
    }

    /// The same rows, some of the columns as dictionaries, of which a piece does not have all values.
    private Block encoded(Block all, Random random) {
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < all.schema().size(); i++) {
            Field field = all.schema().field(i);
            if (random.nextBoolean()) {
                fields.add(field);
                columns.add(all.column(i).retain());
                continue;
            }
            DataType type = DataType.dictionary(field.type());
            try (ColumnBuilder builder = ColumnBuilder.of(memory.allocator(), type, all.rows())) {
                for (long row = 0; row < all.rows(); row++) {
                    builder.append(all.column(i).value(row));
                }
                fields.add(new Field(field.name(), type));
                columns.add(builder.build());
            }
        }
        return Block.of(Schema.of(fields), columns, all.rows());
    }

    /// Rows by their order, since groups come in the order of their first rows.
    private static List<List<Object>> comparable(Block block) {
        List<List<Object>> columns = new ArrayList<>();
        for (Column column : block.columns()) {
            columns.add(RandomValues.comparable(RandomValues.valuesOf(column)));
        }
        return columns;
    }

    /// Floats that were added in another order.
    private static boolean isNear(double a, double b) {
        return Double.compare(a, b) == 0 || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
    }

    @Test
    void whatLeavesDependsOnTheRowsAlone() throws Exception {
        int rows = 600_000;
        long[] keys =
                LongStream.range(0, rows).map(i -> i % 7 == 0 ? i << 40 : i / 3).toArray();
        GroupedBlocks grouping = new GroupedBlocks(List.of("k"), List.of(Aggregates.count()));
        Schema schema = Schema.of(new Field("k", DataType.INT64));
        List<Long> nullable = new ArrayList<>();
        for (long key : keys) {
            nullable.add(key == 1000 || key == 70_000 ? null : Long.valueOf(key));
        }
        List<Column> columns = List.of(Columns.of(memory.allocator(), DataType.INT64, nullable));
        try (Block all = Block.of(schema, columns, rows)) {
            List<List<Object>> whole = leaving(grouping, all, rows);
            assertThat(whole).hasSizeGreaterThan(1);
            assertThat(leaving(grouping, all, 1000)).isEqualTo(whole);
            assertThat(leaving(grouping, all, 4097)).isEqualTo(whole);
        }
    }

    /// The keys of each block that leaves.
    private List<List<Object>> leaving(GroupedBlocks grouping, Block all, int step) throws Exception {
        List<List<Object>> keys = new ArrayList<>();
        GroupRun.Output keep = states -> {
            keys.add(RandomValues.valuesOf(states.column(0)));
            states.close();
        };
        try (GroupRun run = new GroupRun(memory.allocator(), grouping, Long.MAX_VALUE)) {
            for (long from = 0; from < all.rows(); from += step) {
                try (Block piece = all.slice(from, Math.min(step, all.rows() - from))) {
                    run.add(piece, keep);
                }
            }
            run.flush(keep);
        }
        return keys;
    }

    @Test
    void keysThatDoNotRepeatBecomeStatesRowByRow() throws Exception {
        int rows = 200_000;
        GroupedBlocks grouping = new GroupedBlocks(List.of("k"), List.of(Aggregates.count()));
        Schema schema = Schema.of(new Field("k", DataType.INT64));
        long[] keys =
                LongStream.range(0, rows).map(i -> i * 0x9E3779B97F4A7C15L).toArray();
        try (Block all = Block.of(schema, List.of(Columns.ofLongs(memory.allocator(), keys)), rows)) {
            assertThat(leaving(grouping, all, rows).stream().map(List::size)).containsExactly(65_536, rows - 65_536);
        }
    }

    @Test
    void keysMayLieAtTheEndsOfTheirRange() throws Exception {
        GroupedBlocks grouping = new GroupedBlocks(List.of("k"), List.of(Aggregates.count()));
        Schema schema = Schema.of(new Field("k", DataType.INT64));
        for (long[] keys : List.of(
                new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE, 0},
                new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 3, Long.MAX_VALUE - 70_000, Long.MIN_VALUE},
                new long[] {Long.MIN_VALUE + 5, Long.MIN_VALUE, Long.MIN_VALUE + 60_000, -1, 1})) {
            try (Block all = Block.of(schema, List.of(Columns.ofLongs(memory.allocator(), keys)), keys.length)) {
                assertThat(leaving(grouping, all, 1))
                        .containsExactly(LongStream.of(keys)
                                .mapToObj(key -> (Object) key)
                                .toList());
            }
        }
    }

    @Test
    void sumsOfShortDecimalsGrowBeyond64Bits() throws Exception {
        BigDecimal most = new BigDecimal("999999999999999999");
        DataType type = DataType.decimal(18, 0);
        GroupedBlocks grouping = new GroupedBlocks(List.of("k"), List.of(Aggregates.sum("v")));
        Schema schema = Schema.of(new Field("k", DataType.INT64), new Field("v", type));
        int rows = 5000;
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(i % 2 == 0 ? most : most.negate());
        }
        List<Column> columns = List.of(
                Columns.ofLongs(
                        memory.allocator(),
                        LongStream.range(0, rows).map(i -> i % 2).toArray()),
                Columns.of(memory.allocator(), type, values));
        Map<Object, Object> sums = new HashMap<>();
        try (Block all = Block.of(schema, columns, rows);
                Block states = inPieces(grouping, all, new Random(1), Long.MAX_VALUE);
                Block result = grouping.finish(memory.allocator(), states)) {
            for (int i = 0; i < result.rows(); i++) {
                sums.put(result.column(0).value(i), result.column(1).value(i));
            }
        }
        BigDecimal sum = most.multiply(BigDecimal.valueOf(rows / 2));
        assertThat(sums).isEqualTo(Map.of(0L, sum, 1L, sum.negate()));
    }

    @Test
    void aTypeThatChangesBeginsAnew() throws Exception {
        GroupedBlocks grouping = new GroupedBlocks(List.of("k"), List.of(Aggregates.sum("v")));
        List<Block> states = new ArrayList<>();
        try (GroupRun run = new GroupRun(memory.allocator(), grouping, Long.MAX_VALUE)) {
            for (Column values : List.of(
                    Columns.ofLongs(memory.allocator(), 1, 2), Columns.ofDoubles(memory.allocator(), 0.5, 0.25))) {
                Schema schema = Schema.of(new Field("k", DataType.UTF8), new Field("v", values.type()));
                try (Block block =
                        Block.of(schema, List.of(Columns.ofStrings(memory.allocator(), "a", "b"), values), 2)) {
                    run.add(block, states::add);
                }
            }
            run.flush(states::add);
            try (Block all = Blocks.concatenate(memory.allocator(), states);
                    Block result = grouping.finish(memory.allocator(), all)) {
                assertThat(RandomValues.valuesOf(result.column(0))).containsExactly("a", "b");
                assertThat(RandomValues.valuesOf(result.column(1))).containsExactly(1.5, 2.25);
            }
        } finally {
            states.forEach(Block::close);
        }
    }
}
