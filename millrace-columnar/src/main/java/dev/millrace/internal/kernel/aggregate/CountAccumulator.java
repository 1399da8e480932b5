package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.LongColumn;
import dev.millrace.internal.kernel.PresentRows;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The number of rows of each group, of those with a value, or of those that are true.
final class CountAccumulator extends GroupAccumulator {
    /// Null if rows are counted, whatever they contain.
    private @Nullable Column column;

    /// Whether only values that are true count.
    private final boolean ifTrue;

    private final GroupCells counts;
    private int[] present = {};

    /// Counts rows.
    CountAccumulator(Allocator allocator) {
        this(allocator, null, false);
    }

    private CountAccumulator(Allocator allocator, @Nullable Column column, boolean ifTrue) {
        super(allocator);
        this.column = column;
        this.ifTrue = ifTrue;
        this.counts = new GroupCells(allocator, Long.BYTES);
    }

    /// Counts values that are not null.
    static CountAccumulator present(Allocator allocator, Column column) {
        return new CountAccumulator(allocator, column, false);
    }

    /// Counts values that are true.
    static CountAccumulator satisfied(Allocator allocator, Column column) {
        return new CountAccumulator(allocator, column, true);
    }

    @Override
    void bind(Column next) {
        if (column != null) {
            column = next;
        }
    }

    @Override
    void reserve(int groups) {
        counts.reserve(groups);
    }

    @Override
    void update(int[] groups, long from, int count) {
        MemorySegment cells = counts.segment;
        if (column == null || !ifTrue && !column.hasNulls()) {
            for (int i = 0; i < count; i++) {
                cells.setAtIndex(JAVA_LONG, groups[i], cells.getAtIndex(JAVA_LONG, groups[i]) + 1);
            }
            return;
        }
        if (present.length < count) {
            present = new int[count];
        }
        int found = PresentRows.find(column, from, count, present);
        for (int i = 0; i < found; i++) {
            if (!ifTrue || column instanceof BooleanColumn booleans && booleans.get(from + present[i])) {
                int group = groups[present[i]];
                cells.setAtIndex(JAVA_LONG, group, cells.getAtIndex(JAVA_LONG, group) + 1);
            }
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
