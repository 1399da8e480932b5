package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.IntColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The group id of each row as a column, in counted memory; groups are numbered in order of occurrence.
public final class GroupIds {
    private static final int CHUNK = 2048;

    private GroupIds() {}

    /// A column of 32-bit integers, which the caller releases.
    public static IntColumn of(Allocator allocator, Block block, List<String> keys) {
        int rows = Math.toIntExact(block.rows());
        Buffer numbers = allocator.allocate((long) rows * Integer.BYTES);
        List<Column> columns = keys.stream().map(block::column).toList();
        try (GroupTable table = new GroupTable(allocator, columns, CHUNK)) {
            int[] assigned = new int[CHUNK];
            for (int from = 0; from < rows; from += CHUNK) {
                int count = Math.min(CHUNK, rows - from);
                table.assign(from, count, assigned);
                MemorySegment.copy(assigned, 0, numbers.segment(), JAVA_INT, (long) from * Integer.BYTES, count);
            }
            return new IntColumn(DataType.INT32, rows, numbers.retain(), null, 0, 0);
        } finally {
            numbers.release();
        }
    }
}
