package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The first row of every key of a block, in the order of the rows.
public final class FirstRows {
    private static final int CHUNK = 2048;

    private FirstRows() {}

    /// @param keys at least one
    public static int[] of(Allocator allocator, Block block, List<String> keys) {
        try (GroupTable table = table(allocator, block, keys)) {
            int[] groups = new int[CHUNK];
            for (long from = 0; from < block.rows(); from += CHUNK) {
                table.assign(from, (int) Math.min(CHUNK, block.rows() - from), groups);
            }
            return firsts(table);
        }
    }

    /// As [#of], but null if a block is large and more than half of its rows seem to be distinct: then searching for
    /// equal keys does not pay.
    ///
    /// @param keys at least one
    public static int @Nullable [] ifRepeated(Allocator allocator, Block block, List<String> keys) {
        if (block.rows() <= 2L * GroupingTrial.ROWS) {
            return of(allocator, block, keys);
        }
        try (GroupTable table = table(allocator, block, keys)) {
            int[] groups = new int[CHUNK];
            for (long from = 0; from < block.rows(); from += CHUNK) {
                int count = (int) Math.min(CHUNK, block.rows() - from);
                table.assign(from, count, groups);
                if (from + count == GroupingTrial.ROWS
                        && GroupingTrial.isVain(GroupingTrial.ROWS, table.groups(), block.rows())) {
                    return null;
                }
            }
            return firsts(table);
        }
    }

    private static GroupTable table(Allocator allocator, Block block, List<String> keys) {
        List<Column> columns = keys.stream().map(block::column).toList();
        return new GroupTable(allocator, columns, CHUNK);
    }

    private static int[] firsts(GroupTable table) {
        int[] first = new int[table.groups()];
        MemorySegment.copy(table.firstRows(), JAVA_INT, 0, first, 0, first.length);
        return first;
    }
}
