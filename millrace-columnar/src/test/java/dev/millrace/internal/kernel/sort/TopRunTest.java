package dev.millrace.internal.kernel.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.RandomValues;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
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

class TopRunTest {
    private static final List<DataType> KEYS = List.of(
            DataType.BOOL,
            DataType.INT8,
            DataType.INT32,
            DataType.UINT32,
            DataType.INT64,
            DataType.UINT64,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.DATE,
            DataType.decimal(12, 3),
            DataType.decimal(30, 2),
            DataType.UTF8);

    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @RepeatedTest(60)
    void theFirstOfBlocksAreTheFirstOfTheWholeOrder() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RandomValues values = new RandomValues(random);
        Allocator allocator = memory.allocator();
        int rows = random.nextInt(random.nextBoolean() ? 30 : 8000);
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        List<SortKey> order = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(2); i++) {
            DataType type = KEYS.get(random.nextInt(KEYS.size()));
            List<Object> different = values.values(type, 1 + random.nextInt(400), random.nextInt(3) == 0);
            fields.add(new Field("k" + i, type));
            columns.add(values.column(
                    allocator,
                    type,
                    IntStream.range(0, rows)
                            .mapToObj(_ -> different.get(random.nextInt(different.size())))
                            .toList()));
            order.add(new SortKey("k" + i, random.nextBoolean()));
        }
        fields.add(new Field("id", DataType.INT64));
        columns.add(Columns.ofLongs(allocator, LongStream.range(0, rows).toArray()));
        int wanted = List.of(0, 1, 10, 300, 9000).get(random.nextInt(5));
        try (Block all = Block.of(Schema.of(fields), columns, rows);
                RowOrder sorted = RowOrder.of(allocator, all, order);
                TopRun run = new TopRun(allocator, order, wanted)) {
            for (long from = 0; from == 0 || from < rows; ) {
                long count = Math.min(rows - from, random.nextInt(900));
                try (Block piece = all.slice(from, count)) {
                    run.add(piece);
                }
                from += count;
                if (rows == 0) {
                    break;
                }
            }
            int[] first = new int[Math.min(rows, wanted)];
            sorted.copy(0, first.length, first);
            try (Block top = run.finish();
                    Block expected = Blocks.take(allocator, all, first, first.length)) {
                assertThat(RandomValues.valuesOf(top.column("id")))
                        .as("seed %d, %d of %d by %s of %s", seed, wanted, rows, order, fields)
                        .isEqualTo(RandomValues.valuesOf(expected.column("id")));
            }
        }
    }

    @Test
    void whatCannotBeAmongTheFirstIsNotHeld() {
        Schema schema = Schema.of(new Field("k", DataType.INT64));
        try (TopRun run = new TopRun(memory.allocator(), List.of(new SortKey("k", false)), 10)) {
            add(run, schema, LongStream.range(0, 100_000).toArray());
            long held = memory.allocator().heldBytes();
            add(run, schema, LongStream.range(9, 100_000).toArray());
            assertThat(memory.allocator().heldBytes()).isEqualTo(held).isLessThan(8192);
            try (Block top = run.finish()) {
                assertThat(RandomValues.valuesOf(top.column(0)))
                        .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
            }
        }
    }

    private void add(TopRun run, Schema schema, long[] keys) {
        try (Block block = Block.of(schema, List.of(Columns.ofLongs(memory.allocator(), keys)), keys.length)) {
            run.add(block);
        }
    }
}
