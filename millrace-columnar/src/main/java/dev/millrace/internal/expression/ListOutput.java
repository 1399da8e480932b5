package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.column.ListColumn;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Collects the elements of result lists as positions in a column of elements, which are then gathered at once.
final class ListOutput {
    private int[] positions;
    private int count;
    private final int[] offsets;
    private int rows;
    private long @Nullable [] valid;

    /// @param expected the number of elements, which may be exceeded
    ListOutput(long rows, int expected) {
        this.positions = new int[Math.max(16, expected)];
        this.offsets = new int[Math.toIntExact(rows) + 1];
    }

    void add(int position) {
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, Math.multiplyExact(count, 2));
        }
        positions[count++] = position;
    }

    /// Ends the list of a row.
    void end() {
        offsets[++rows] = count;
    }

    /// Ends a row that is null.
    void endNull() {
        if (valid == null) {
            valid = BitWords.all(offsets.length - 1L);
        }
        BitWords.clear(valid, rows);
        end();
    }

    boolean isNull(int row) {
        return valid != null && !BitWords.get(valid, row);
    }

    /// Where the elements of a row begin; that of the row after the last is the end.
    int start(int row) {
        return offsets[row];
    }

    int[] positions() {
        return positions;
    }

    int count() {
        return count;
    }

    /// The column of lists, whose elements are those at the positions.
    ListColumn build(DataType type, Column elements, Allocator allocator) {
        return over(type, GatherKernel.take(allocator, elements, positions, count), allocator);
    }

    /// The column of lists of these elements, whose reference it takes.
    ListColumn over(DataType type, Column elements, Allocator allocator) {
        boolean done = false;
        Buffer ends = Buffer.EMPTY;
        try {
            ends = allocator.allocate((long) offsets.length * Integer.BYTES);
            MemorySegment.copy(offsets, 0, ends.segment(), JAVA_INT, 0, offsets.length);
            Buffer validity = valid == null ? null : BitWords.toBuffer(valid, rows, allocator);
            done = true;
            long nulls = valid == null ? 0 : Column.UNKNOWN_NULLS;
            return new ListColumn((DataType.ListOf) type, rows, ends, Integer.BYTES, elements, validity, 0, nulls);
        } finally {
            if (!done) {
                elements.release();
                ends.release();
            }
        }
    }
}
