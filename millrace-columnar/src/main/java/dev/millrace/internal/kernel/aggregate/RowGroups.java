package dev.millrace.internal.kernel.aggregate;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.memory.CountedArray;
import dev.millrace.memory.Allocator;
import java.util.Arrays;
import java.util.List;

/// The rows of each group of a block: groups in the order of their first rows, rows in input order. The positions are
/// on the Java heap and count as memory until this is closed.
public final class RowGroups implements AutoCloseable {
    private static final int CHUNK = 2048;

    private final CountedArray<int[]> rows;
    private final CountedArray<int[]> starts;

    private RowGroups(CountedArray<int[]> rows, CountedArray<int[]> starts) {
        this.rows = rows;
        this.starts = starts;
    }

    public static RowGroups of(Allocator allocator, Block block, List<String> keys) {
        List<Column> columns = keys.stream().map(block::column).toList();
        int count = Math.toIntExact(block.rows());
        try (CountedArray<int[]> groups = CountedArray.ofInts(allocator, count);
                GroupTable table = new GroupTable(allocator, columns, CHUNK)) {
            int[] assigned = new int[CHUNK];
            for (int from = 0; from < count; from += CHUNK) {
                int some = Math.min(CHUNK, count - from);
                table.assign(from, some, assigned);
                System.arraycopy(assigned, 0, groups.values(), from, some);
            }
            return of(allocator, groups.values(), count, table.groups());
        }
    }

    /// @param groupOf the group of each of the first `count` rows
    static RowGroups of(Allocator allocator, int[] groupOf, int count, int groups) {
        try (ResourceScope scope = new ResourceScope();
                CountedArray<int[]> at = CountedArray.ofInts(allocator, groups)) {
            CountedArray<int[]> starts = scope.add(CountedArray.ofInts(allocator, groups + 1));
            CountedArray<int[]> rows = CountedArray.ofInts(allocator, count);
            cluster(groupOf, count, starts.values(), at.values(), rows.values());
            return scope.keep(new RowGroups(rows, starts));
        }
    }

    private static void cluster(int[] groupOf, int count, int[] starts, int[] at, int[] rows) {
        for (int row = 0; row < count; row++) {
            starts[groupOf[row] + 1]++;
        }
        for (int group = 0; group < at.length; group++) {
            starts[group + 1] += starts[group];
        }
        System.arraycopy(starts, 0, at, 0, at.length);
        for (int row = 0; row < count; row++) {
            rows[at[groupOf[row]]++] = row;
        }
    }

    public int groups() {
        return starts.values().length - 1;
    }

    /// The rows of one group, ascending.
    public int[] rowsOf(int group) {
        int[] from = starts.values();
        return Arrays.copyOfRange(rows.values(), from[group], from[group + 1]);
    }

    /// The rows of all groups, one after the other.
    int[] rows() {
        return rows.values();
    }

    /// Where each group's rows begin in [#rows], and the end of the last.
    int[] starts() {
        return starts.values();
    }

    @Override
    public void close() {
        rows.close();
        starts.close();
    }
}
