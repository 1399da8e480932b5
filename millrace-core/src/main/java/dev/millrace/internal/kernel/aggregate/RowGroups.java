package dev.millrace.internal.kernel.aggregate;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import java.util.Arrays;
import java.util.List;

/// The rows of each group of a block: groups in the order of their first rows, rows in theirs.
public final class RowGroups {
    private static final int CHUNK = 2048;

    private final int[] rows;
    private final int[] starts;

    private RowGroups(int[] rows, int[] starts) {
        this.rows = rows;
        this.starts = starts;
    }

    public static RowGroups of(Allocator allocator, Block block, List<String> keys) {
        List<Column> columns = keys.stream().map(block::column).toList();
        int[] groups = new int[Math.toIntExact(block.rows())];
        try (GroupTable table = new GroupTable(allocator, columns, CHUNK)) {
            int[] assigned = new int[CHUNK];
            for (int from = 0; from < groups.length; from += CHUNK) {
                int count = Math.min(CHUNK, groups.length - from);
                table.assign(from, count, assigned);
                System.arraycopy(assigned, 0, groups, from, count);
            }
            return of(groups, groups.length, table.groups());
        }
    }

    /// @param groupOf the group of each of the first `count` rows
    static RowGroups of(int[] groupOf, int count, int groups) {
        int[] starts = new int[groups + 1];
        for (int row = 0; row < count; row++) {
            starts[groupOf[row] + 1]++;
        }
        for (int group = 0; group < groups; group++) {
            starts[group + 1] += starts[group];
        }
        int[] at = Arrays.copyOf(starts, groups);
        int[] rows = new int[count];
        for (int row = 0; row < count; row++) {
            rows[at[groupOf[row]]++] = row;
        }
        return new RowGroups(rows, starts);
    }

    public int groups() {
        return starts.length - 1;
    }

    /// The rows of one group, ascending.
    public int[] rowsOf(int group) {
        return Arrays.copyOfRange(rows, starts[group], starts[group + 1]);
    }

    /// Of each row the number of its group.
    public int[] numbers() {
        int[] numbers = new int[rows.length];
        for (int group = 0; group < groups(); group++) {
            for (int i = starts[group]; i < starts[group + 1]; i++) {
                numbers[rows[i]] = group;
            }
        }
        return numbers;
    }

    /// The rows of all groups, one after the other.
    int[] rows() {
        return rows;
    }

    /// Where each group's rows begin in [#rows], and the end.
    int[] starts() {
        return starts;
    }
}
