package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.LongColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Blocks of one int64 column `v`, which the tasks of the contracts make and take.
public final class TaskBlocks {
    /// One int64 column `v`.
    public static final Schema SCHEMA = Schema.of(new Field("v", DataType.INT64));

    private TaskBlocks() {}

    /// A block of one column.
    public static Block of(Allocator allocator, long... values) {
        try (LongBuilder builder = new LongBuilder(allocator, DataType.INT64, values.length)) {
            for (long value : values) {
                builder.append(value);
            }
            return Block.of(SCHEMA, List.of(builder.build()), values.length);
        }
    }

    /// `rows` values counting up from `from`.
    public static Block range(Allocator allocator, long from, int rows) {
        long[] values = new long[rows];
        for (int i = 0; i < rows; i++) {
            values[i] = from + i;
        }
        return of(allocator, values);
    }

    /// The column's values.
    public static List<Long> values(Block block) {
        LongColumn column = (LongColumn) block.column(0);
        List<Long> values = new ArrayList<>();
        for (long i = 0; i < block.rows(); i++) {
            values.add(column.get(i));
        }
        return values;
    }

    /// Reads and closes.
    public static List<Long> take(Block block) {
        try (block) {
            return values(block);
        }
    }

    /// Reads a block of a store and gives up the hold on it.
    public static List<Long> take(Runtime runtime, BlockRef ref) {
        try {
            return take(runtime.get(BlockSlice.whole(ref)));
        } finally {
            ref.release();
        }
    }

    /// Their sum.
    public static long sum(Block block) {
        return values(block).stream().mapToLong(Long::longValue).sum();
    }
}
