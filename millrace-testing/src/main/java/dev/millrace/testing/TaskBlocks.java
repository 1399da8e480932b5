package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.column.Columns;
import dev.millrace.column.LongColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.stream.LongStream;

/// Blocks of one int64 column `v`, which the tasks of the contracts produce and consume.
public final class TaskBlocks {
    /// One int64 column `v`.
    public static final Schema SCHEMA = Schema.of(new Field("v", DataType.INT64));

    private TaskBlocks() {}

    /// A block of one column.
    public static Block of(Allocator allocator, long... values) {
        return Block.of(SCHEMA, List.of(Columns.ofLongs(allocator, values)), values.length);
    }

    /// `rows` values counting up from `from`.
    public static Block range(Allocator allocator, long from, int rows) {
        return of(allocator, LongStream.range(from, from + rows).toArray());
    }

    /// The column's values.
    public static List<Long> values(Block block) {
        LongColumn column = (LongColumn) block.column(0);
        return LongStream.range(0, block.rows()).map(column::get).boxed().toList();
    }

    /// Reads the values and closes the block.
    public static List<Long> take(Block block) {
        try (block) {
            return values(block);
        }
    }

    /// Reads a block of a store and releases it.
    public static List<Long> take(Runtime runtime, BlockRef ref) {
        try {
            return take(runtime.get(BlockSlice.whole(ref)));
        } finally {
            ref.release();
        }
    }

    /// The sum of the values.
    public static long sum(Block block) {
        return values(block).stream().mapToLong(Long::longValue).sum();
    }
}
