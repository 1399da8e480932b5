package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// One of the values of each group: min, max, first, last. Kept as its row number, and gathered from the column at the
/// end, whatever its type.
abstract sealed class ChosenAccumulator extends GroupAccumulator {
    final Column column;
    /// The row of each group's value plus one; zero is none.
    final GroupCells chosen;

    private ChosenAccumulator(Allocator allocator, Column column) {
        super(allocator);
        this.column = column;
        this.chosen = new GroupCells(allocator, Integer.BYTES);
    }

    static GroupAccumulator extreme(Allocator allocator, Column column, boolean greatest, int mostRows) {
        return LongWords.areFor(AccumulatorFunctions.plain(column.type()))
                ? new MinMaxAccumulator(allocator, column, greatest, mostRows)
                : new ComparedRows(allocator, column, greatest, mostRows);
    }

    static ChosenAccumulator end(Allocator allocator, Column column, boolean last) {
        return new Ends(allocator, column, last);
    }

    @Override
    void reserve(int groups) {
        chosen.reserve(groups);
    }

    @Override
    final List<Column> build(int groups) {
        chosen.reserve(groups);
        int[] positions = new int[groups];
        for (int group = 0; group < groups; group++) {
            positions[group] = chosen.segment.getAtIndex(JAVA_INT, group) - 1;
        }
        return List.of(GatherKernel.takeOrNull(allocator, column, positions, groups));
    }

    @Override
    public void close() {
        chosen.close();
    }

    /// Values that are compared in place.
    private static final class ComparedRows extends ChosenAccumulator {
        private final ValueArrays values;
        private final int sign;

        ComparedRows(Allocator allocator, Column column, boolean greatest, int mostRows) {
            super(allocator, column);
            this.values = new ValueArrays(column, mostRows, false);
            this.sign = greatest ? -1 : 1;
        }

        @Override
        void update(int[] ofRows, long from, int count) {
            if (column instanceof NullColumn) {
                return;
            }
            values.select(ofRows, from, count);
            for (int i = 0; i < values.count; i++) {
                int group = values.groups[i];
                int row = chosen.segment.getAtIndex(JAVA_INT, group) - 1;
                if (row < 0 || sign * compare(values.row(i), row) < 0) {
                    chosen.segment.setAtIndex(JAVA_INT, group, (int) values.row(i) + 1);
                }
            }
        }

        private int compare(long a, long b) {
            if (column instanceof DecimalColumn decimals) {
                int high = Long.compare(decimals.high(a), decimals.high(b));
                return high != 0 ? high : Long.compareUnsigned(decimals.low(a), decimals.low(b));
            }
            VariableWidthColumn bytes = (VariableWidthColumn) column;
            MemorySegment data = bytes.dataSegment();
            long length = bytes.byteLength(a);
            long other = bytes.byteLength(b);
            long at = MemorySegment.mismatch(data, bytes.start(a), bytes.end(a), data, bytes.start(b), bytes.end(b));
            if (at < 0 || at == Math.min(length, other)) {
                return Long.compare(length, other);
            }
            return Byte.compareUnsigned(
                    data.get(java.lang.foreign.ValueLayout.JAVA_BYTE, bytes.start(a) + at),
                    data.get(java.lang.foreign.ValueLayout.JAVA_BYTE, bytes.start(b) + at));
        }
    }

    /// The first or the last row, whatever its value.
    private static final class Ends extends ChosenAccumulator {
        private final boolean last;

        Ends(Allocator allocator, Column column, boolean last) {
            super(allocator, column);
            this.last = last;
        }

        @Override
        void update(int[] groups, long from, int count) {
            for (int i = 0; i < count; i++) {
                if (last || chosen.segment.getAtIndex(JAVA_INT, groups[i]) == 0) {
                    chosen.segment.setAtIndex(JAVA_INT, groups[i], (int) from + i + 1);
                }
            }
        }
    }
}
