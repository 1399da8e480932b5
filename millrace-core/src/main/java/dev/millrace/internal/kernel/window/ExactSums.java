package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Bits;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Sums of integers and decimals over frames: what all rows before a row add up to, in 192 bits, so that any frame's
/// sum
/// is an exact difference. One that its type cannot hold is an error.
final class ExactSums {
    /// 10^38, the first that a decimal cannot have: high and low half.
    private static final long LIMIT_HIGH = 0x4B3B4CA85A86C47AL;
    private static final long LIMIT_LOW = 0x098A224000000000L;

    private final long[] low;
    private final long[] middle;
    private final long[] high;

    private ExactSums(FixedWidthColumn column) {
        int rows = Math.toIntExact(column.length());
        this.low = new long[rows + 1];
        this.middle = new long[rows + 1];
        this.high = new long[rows + 1];
        boolean unsigned = column.type() instanceof DataType.Int integer && !integer.signed();
        for (int row = 0; row < rows; row++) {
            long first = 0;
            long second = 0;
            if (!column.isNull(row)) {
                first = low(column, row, unsigned);
                second = column instanceof DecimalColumn decimals ? decimals.high(row) : unsigned ? 0 : first >> 63;
            }
            add(row, first, second);
        }
    }

    private static long low(FixedWidthColumn column, int row, boolean unsigned) {
        return switch (column) {
            case DecimalColumn c -> c.low(row);
            case LongColumn c -> c.get(row);
            case IntColumn c -> unsigned ? c.get(row) & 0xFFFFFFFFL : c.get(row);
            case ShortColumn c -> unsigned ? c.get(row) & 0xFFFFL : c.get(row);
            case ByteColumn c -> unsigned ? c.get(row) & 0xFFL : c.get(row);
            default -> throw MillraceException.internal(column.type() + " has no exact sum");
        };
    }

    private void add(int row, long first, long second) {
        long sum = low[row] + first;
        long carry = Long.compareUnsigned(sum, first) < 0 ? 1 : 0;
        long next = middle[row] + second;
        long over = Long.compareUnsigned(next, second) < 0 ? 1 : 0;
        long both = next + carry;
        over += both == 0 && carry == 1 ? 1 : 0;
        low[row + 1] = sum;
        middle[row + 1] = both;
        high[row + 1] = high[row] + (second >> 63) + over;
    }

    static Column of(Allocator allocator, FrameBounds frames, FixedWidthColumn column, String name) {
        DataType type = column.type() instanceof DataType.Decimal decimal
                ? DataType.decimal(38, decimal.scale())
                : DataType.INT64;
        int rows = frames.rows();
        if (rows == 0) {
            return Columns.empty(type);
        }
        ExactSums sums = new ExactSums(column);
        int[] before = FrameSums.valuesBefore(column);
        boolean wide = type instanceof DataType.Decimal;
        Buffer validity = allocator.allocateZeroed((rows + 7) / 8);
        try {
            Buffer data = allocator.allocateZeroed((long) rows * (wide ? 2 : 1) * Long.BYTES);
            try {
                for (int row = 0; row < rows; row++) {
                    if (FrameSums.values(frames, row, before) > 0) {
                        Bits.set(validity.segment(), row, true);
                        if (!sums.write(frames.from[row], frames.to[row], data.segment(), row, wide)) {
                            throw overflow(name, type);
                        }
                    }
                }
                return FixedWidthColumn.of(type, rows, data.retain(), validity.retain(), 0, Column.UNKNOWN_NULLS);
            } finally {
                data.release();
            }
        } finally {
            validity.release();
        }
    }

    /// Writes the sum of rows `from` to `to`; false where it does not fit.
    private boolean write(int from, int to, MemorySegment data, int row, boolean wide) {
        long first = low[to] - low[from];
        long borrow = Long.compareUnsigned(low[to], low[from]) < 0 ? 1 : 0;
        long next = middle[to] - middle[from];
        long under = Long.compareUnsigned(middle[to], middle[from]) < 0 ? 1 : 0;
        under += next == 0 && borrow == 1 ? 1 : 0;
        long second = next - borrow;
        long third = high[to] - high[from] - under;
        if (third != second >> 63) {
            return false;
        }
        if (!wide) {
            data.setAtIndex(JAVA_LONG, row, first);
            return second == first >> 63;
        }
        data.setAtIndex(JAVA_LONG, 2L * row, first);
        data.setAtIndex(JAVA_LONG, 2L * row + 1, second);
        boolean negative = second < 0;
        long top = negative ? ~second + (first == 0 ? 1 : 0) : second;
        long bottom = negative ? -first : first;
        return top >= 0 && (top < LIMIT_HIGH || top == LIMIT_HIGH && Long.compareUnsigned(bottom, LIMIT_LOW) < 0);
    }

    private static MillraceException overflow(String name, DataType type) {
        return MillraceException.data(name + ": a sum is beyond " + type
                + ". Cast the column to float64 or to a decimal first, e.g."
                + " withColumn(\"wide\", col(...).cast(DataType.FLOAT64)).");
    }
}
