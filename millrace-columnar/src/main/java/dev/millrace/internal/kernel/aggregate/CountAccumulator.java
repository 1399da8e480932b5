package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.LongColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The number of rows of each group.
final class CountAccumulator extends GroupAccumulator {
    private final GroupCells counts;

    CountAccumulator(Allocator allocator) {
        super(allocator);
        this.counts = new GroupCells(allocator, Long.BYTES);
    }

    @Override
    void bind(Column column) {
        // Rows are counted, whatever they contain.
    }

    @Override
    void reserve(int groups) {
        counts.reserve(groups);
    }

    @Override
    void update(int[] groups, long from, int count) {
        MemorySegment cells = counts.segment;
        for (int i = 0; i < count; i++) {
            cells.setAtIndex(JAVA_LONG, groups[i], cells.getAtIndex(JAVA_LONG, groups[i]) + 1);
        }
    }

    @Override
    List<Column> build(int groups) {
        return List.of(new LongColumn(DataType.INT64, groups, counts.take(groups), null, 0, 0));
    }

    @Override
    public void close() {
        counts.close();
    }
}
