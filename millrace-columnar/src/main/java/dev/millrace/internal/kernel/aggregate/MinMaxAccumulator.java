package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The least or greatest of each group's values, of types that [LongWords] supports; null if there is none.
final class MinMaxAccumulator extends GroupAccumulator {
    private final DataType type;
    private final ValueArrays values;
    private final GroupCells best;
    /// One byte for each group that has a value.
    private final GroupCells seen;
    /// All bits set if the order is reversed.
    private final long turn;

    MinMaxAccumulator(Allocator allocator, Column column, boolean greatest, int mostRows) {
        super(allocator);
        this.type = AccumulatorFunctions.plain(column.type());
        this.values = new ValueArrays(column, mostRows, false);
        this.best = new GroupCells(allocator, Long.BYTES);
        this.seen = new GroupCells(allocator, 1);
        this.turn = greatest ? -1L : 0L;
    }

    @Override
    void bind(Column column) {
        values.bind(column);
    }

    @Override
    void reserve(int groups) {
        best.reserve(groups);
        seen.reserve(groups);
    }

    @Override
    void update(int[] ofRows, long from, int count) {
        values.select(ofRows, from, count);
        values.readOrdered();
        MemorySegment cells = best.segment;
        MemorySegment there = seen.segment;
        for (int i = 0; i < values.count; i++) {
            int group = values.groups[i];
            long value = values.longs[i] ^ turn;
            if (value < cells.getAtIndex(JAVA_LONG, group) || there.get(JAVA_BYTE, group) == 0) {
                cells.setAtIndex(JAVA_LONG, group, value);
                there.set(JAVA_BYTE, group, (byte) 1);
            }
        }
    }

    @Override
    List<Column> build(int groups) {
        reserve(groups);
        MemorySegment cells = best.segment;
        return List.of(LongWords.column(
                allocator,
                type,
                groups,
                validity(allocator, seen.segment, groups),
                group -> ValueArrays.fromOrdered(type, cells.getAtIndex(JAVA_LONG, group) ^ turn)));
    }

    @Override
    public void close() {
        best.close();
        seen.close();
    }
}
