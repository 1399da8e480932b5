package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The first row of every key of a block, in the order of the rows.
public final class FirstRows {
    private static final int CHUNK = 2048;
    /// After this many rows it is decided whether searching for equal keys pays.
    private static final int TRIAL_ROWS = 1 << 16;

    private FirstRows() {}

    /// @param keys at least one
    /// @param mayGiveUp null may be returned if more than half of the first rows are distinct
    public static int[] of(Allocator allocator, Block block, List<String> keys, boolean mayGiveUp) {
        List<Column> columns = keys.stream().map(block::column).toList();
        try (GroupTable table = new GroupTable(allocator, columns, CHUNK)) {
            int[] groups = new int[CHUNK];
            for (long from = 0; from < block.rows(); from += CHUNK) {
                int count = (int) Math.min(CHUNK, block.rows() - from);
                table.assign(from, count, groups);
                if (mayGiveUp
                        && from + count == TRIAL_ROWS
                        && block.rows() > 2L * TRIAL_ROWS
                        && table.groups() > TRIAL_ROWS / 2) {
                    return null;
                }
            }
            int[] first = new int[table.groups()];
            MemorySegment.copy(table.firstRows(), JAVA_INT, 0, first, 0, first.length);
            return first;
        }
    }
}
