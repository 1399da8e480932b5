package dev.millrace.internal.kernel.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.RandomValues;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.LeakCheck;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// States of several blocks are merged as if they were one block.
class AccumulatorRunTest {
    private static final List<DataType> KEYS =
            List.of(DataType.BOOL, DataType.INT64, DataType.FLOAT64, DataType.decimal(12, 3), DataType.UTF8);
    private static final List<DataType> NUMBERS =
            List.of(DataType.INT8, DataType.decimal(9, 2), DataType.UINT32, DataType.FLOAT64);
    private static final List<Aggregate> AGGREGATES = List.of(
            Aggregates.count(),
            Aggregates.sum("v"),
            Aggregates.mean("v"),
            Aggregates.min("v"),
            Aggregates.max("v"),
            Aggregates.missingPercentage("v"),
            Aggregates.zeroPercentage("v"));

    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @RepeatedTest(40)
    void severalBlocksAreMergedAsOne() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RandomValues values = new RandomValues(random);
        Allocator allocator = memory.allocator();
        int keys = random.nextInt(3);
        List<Field> fields = new ArrayList<>();
        List<List<Object>> different = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            fields.add(new Field("k" + i, KEYS.get(random.nextInt(KEYS.size()))));
            different.add(values.values(fields.get(i).type(), 1 + random.nextInt(300), random.nextBoolean()));
        }
        fields.add(new Field("v", NUMBERS.get(random.nextInt(NUMBERS.size()))));
        GroupedBlocks grouping = new GroupedBlocks(
                fields.subList(0, keys).stream().map(Field::name).toList(), AGGREGATES);
        List<Block> states = new ArrayList<>();
        try {
            for (int i = 1 + random.nextInt(5); i > 0; i--) {
                int rows = random.nextInt(4) == 0 ? 0 : random.nextInt(3000);
                List<Column> columns = new ArrayList<>();
                for (List<Object> ofKey : different) {
                    List<Object> some = IntStream.range(0, rows)
                            .mapToObj(_ -> ofKey.get(random.nextInt(ofKey.size())))
                            .toList();
                    columns.add(
                            values.column(allocator, fields.get(columns.size()).type(), some));
                }
                DataType number = fields.getLast().type();
                columns.add(values.column(allocator, number, values.values(number, rows, random.nextBoolean())));
                try (Block block = Block.of(Schema.of(fields), columns, rows)) {
                    states.add(grouping.accumulate(allocator, block));
                }
            }
            assertThat(AccumulatorRun.isFor(grouping, states.getFirst().schema()))
                    .isTrue();
            try (Block all = Blocks.concatenate(allocator, states);
                    Block expected = grouping.finish(allocator, all);
                    Block merged = grouping.merge(allocator, states);
                    Block result = grouping.result(allocator, merged)) {
                assertThat(valuesOf(result)).as("seed " + seed + ", " + fields).isEqualTo(valuesOf(expected));
            }
        } finally {
            states.forEach(Block::close);
        }
    }

    /// Where hardly any two states are of one group, merging them would be for nothing.
    @Test
    void statesThatAreAllOfDifferentGroupsStayAsTheyAre() {
        GroupedBlocks grouping = new GroupedBlocks(List.of("k"), List.of(Aggregates.count()));
        Schema schema = Schema.of(new Field("k", DataType.INT64));
        List<Block> states = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                long[] keys = LongStream.range(i * 60_000L, (i + 1) * 60_000L).toArray();
                try (Block block = Block.of(schema, List.of(Columns.ofLongs(memory.allocator(), keys)), keys.length)) {
                    states.add(grouping.accumulate(memory.allocator(), block));
                }
            }
            assertThat(AccumulatorRun.merge(memory.allocator(), grouping, states))
                    .isNull();
            try (Block same = grouping.merge(memory.allocator(), states)) {
                assertThat(same.rows()).isEqualTo(180_000);
            }
            try (Block few = grouping.merge(memory.allocator(), states.subList(0, 2))) {
                assertThat(few.rows()).isEqualTo(120_000).isLessThanOrEqualTo(GroupedBlocks.SURELY_MERGED);
            }
        } finally {
            states.forEach(Block::close);
        }
    }

    /// The states of one task are of different groups, and those of the next of the same.
    @Test
    void statesThatRepeatOnlyInTheNextBlockAreMerged() {
        GroupedBlocks grouping = new GroupedBlocks(List.of("k"), List.of(Aggregates.count()));
        Schema schema = Schema.of(new Field("k", DataType.INT64));
        List<Block> states = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                long[] keys = LongStream.range(0, 80_000).toArray();
                try (Block block = Block.of(schema, List.of(Columns.ofLongs(memory.allocator(), keys)), keys.length)) {
                    states.add(grouping.accumulate(memory.allocator(), block));
                }
            }
            try (Block merged = grouping.merge(memory.allocator(), states)) {
                assertThat(merged.rows()).isEqualTo(80_000);
            }
        } finally {
            states.forEach(Block::close);
        }
    }

    private static List<List<Object>> valuesOf(Block block) {
        List<List<Object>> columns = new ArrayList<>();
        for (Column column : block.columns()) {
            columns.add(RandomValues.comparable(RandomValues.valuesOf(column)));
        }
        return columns;
    }
}
