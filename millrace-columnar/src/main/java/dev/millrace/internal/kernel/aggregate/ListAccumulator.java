package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.memory.CountedArray;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// All values of each group as a list, including nulls, in the order of the rows; or each distinct one once.
final class ListAccumulator extends GroupAccumulator {
    private static final int CHUNK = 2048;

    private final Column column;
    private final boolean merging;
    private final boolean distinct;
    private final GroupCells groupOf;
    private int count;

    /// @param merging the column contains lists, which are concatenated
    ListAccumulator(Allocator allocator, Column column, boolean merging, boolean distinct) {
        super(allocator);
        this.column = column;
        this.merging = merging;
        this.distinct = distinct;
        this.groupOf = new GroupCells(allocator, Integer.BYTES);
    }

    @Override
    void reserve(int groups) {
        // Only one number for each row is kept.
    }

    @Override
    void update(int[] groups, long from, int rows) {
        groupOf.reserve(count + (long) rows);
        MemorySegment.copy(groups, 0, groupOf.segment, JAVA_INT, (long) count * Integer.BYTES, rows);
        count += rows;
    }

    @Override
    List<Column> build(int groups) {
        try (RowGroups clustered = clustered(groups)) {
            return build(clustered, groups);
        }
    }

    private RowGroups clustered(int groups) {
        try (CountedArray<int[]> ofRow = CountedArray.ofInts(allocator, count)) {
            MemorySegment.copy(groupOf.segment, JAVA_INT, 0, ofRow.values(), 0, count);
            return RowGroups.of(allocator, ofRow.values(), count, groups);
        }
    }

    private List<Column> build(RowGroups clustered, int groups) {
        Column taken = GatherKernel.take(allocator, column, clustered.rows(), count);
        try {
            Column elements = merging ? ((ListColumn) taken).elements() : taken;
            int[] starts = clustered.starts().clone();
            if (merging) {
                ListColumn lists = (ListColumn) taken;
                for (int group = 0; group <= groups; group++) {
                    int at = clustered.starts()[group];
                    starts[group] =
                            Math.toIntExact(at < count ? lists.start(at) : count == 0 ? 0 : lists.end(count - 1));
                }
            }
            return List.of(distinct ? unique(elements, starts, groups) : list(elements.retain(), starts, groups));
        } finally {
            taken.release();
        }
    }

    /// The first of equal elements of each group.
    private Column unique(Column elements, int[] starts, int groups) {
        int length = starts[groups];
        Buffer numbers = allocator.allocate(Math.max(1, (long) length * Integer.BYTES));
        try {
            for (int group = 0; group < groups; group++) {
                for (int i = starts[group]; i < starts[group + 1]; i++) {
                    numbers.segment().setAtIndex(JAVA_INT, i, group);
                }
            }
            IntColumn ofElement = (IntColumn) FixedWidthColumn.of(DataType.INT32, length, numbers, null, 0, 0);
            try (GroupTable table = new GroupTable(allocator, List.of(ofElement, elements.slice(0, length)), CHUNK)) {
                int[] assigned = new int[CHUNK];
                for (int from = 0; from < length; from += CHUNK) {
                    table.assign(from, Math.min(CHUNK, length - from), assigned);
                }
                int[] kept = new int[table.groups()];
                MemorySegment.copy(table.firstRows(), JAVA_INT, 0, kept, 0, kept.length);
                int[] fewer = new int[groups + 1];
                for (int row : kept) {
                    fewer[ofElement.get(row) + 1]++;
                }
                for (int group = 0; group < groups; group++) {
                    fewer[group + 1] += fewer[group];
                }
                return list(GatherKernel.take(allocator, elements, kept, kept.length), fewer, groups);
            }
        } finally {
            numbers.release();
        }
    }

    /// @param elements the list takes over their reference
    private Column list(Column elements, int[] starts, int groups) {
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(elements);
            Buffer offsets = allocator.allocate((groups + 1L) * Integer.BYTES);
            MemorySegment.copy(starts, 0, offsets.segment(), JAVA_INT, 0, groups + 1);
            return scope.keep(new ListColumn(
                    DataType.list(elements.type()), groups, offsets, Integer.BYTES, elements, null, 0, 0));
        }
    }

    @Override
    public void close() {
        groupOf.close();
    }
}
