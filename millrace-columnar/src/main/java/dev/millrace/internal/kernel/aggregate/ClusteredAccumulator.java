package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.memory.CountedArray;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// States that are computed at the end, group by group, from values that are then adjacent: so that one sketch in
/// memory is enough for any number of groups. Until then, the group id of each row is kept.
abstract class ClusteredAccumulator extends GroupAccumulator {
    private final Column column;
    private final GroupCells groupOf;
    private int count;

    ClusteredAccumulator(Allocator allocator, Column column) {
        super(allocator);
        this.column = column;
        this.groupOf = new GroupCells(allocator, Integer.BYTES);
    }

    /// The states of groups whose values are at `starts[group]` to `starts[group + 1]` of the column.
    abstract List<Column> build(Column values, int[] starts, int groups);

    @Override
    void reserve(int groups) {
        // Only the group id of each row is kept.
    }

    @Override
    void update(int[] groups, long from, int rows) {
        groupOf.reserve(count + (long) rows);
        MemorySegment.copy(groups, 0, groupOf.segment, JAVA_INT, (long) count * Integer.BYTES, rows);
        count += rows;
    }

    @Override
    List<Column> build(int groups) {
        if (groups <= 1) {
            return build(column, groups == 0 ? new int[1] : new int[] {0, count}, groups);
        }
        try (RowGroups clustered = clustered(groups)) {
            Column values = GatherKernel.take(allocator, column, clustered.rows(), count);
            try {
                return build(values, clustered.starts(), groups);
            } finally {
                values.release();
            }
        }
    }

    private RowGroups clustered(int groups) {
        try (CountedArray<int[]> ofRow = CountedArray.ofInts(allocator, count)) {
            MemorySegment.copy(groupOf.segment, JAVA_INT, 0, ofRow.values(), 0, count);
            groupOf.close();
            return RowGroups.of(allocator, ofRow.values(), count, groups);
        }
    }

    @Override
    public void close() {
        groupOf.close();
    }
}
