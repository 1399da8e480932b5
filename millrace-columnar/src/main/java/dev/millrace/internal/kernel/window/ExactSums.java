package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Sums of integers and decimals over frames, in 192 bits: exact, so that values that leave a frame are subtracted from
/// its sum. A sum that its type cannot represent is an error.
final class ExactSums implements RunningColumn {
    /// 10^38, the first value that a decimal cannot have: high and low half.
    private static final long LIMIT_HIGH = 0x4B3B4CA85A86C47AL;
    private static final long LIMIT_LOW = 0x098A224000000000L;

    private final Allocator allocator;
    private final String name;
    private final DataType type;
    private FixedWidthColumn column;
    private WindowFrames frames;
    private final FrameValues values;
    private boolean nullable;
    private boolean unsigned;

    private int partition = -1;
    /// The rows from `first` to `behind` are included in the sum.
    private int first;

    private int behind;
    private long low;
    private long middle;
    private long high;

    /// @param column the caller keeps it
    /// @param name of the sum in errors
    ExactSums(Allocator allocator, WindowFrames frames, FixedWidthColumn column, String name) {
        this.allocator = allocator;
        this.name = name;
        this.type = column.type() instanceof DataType.Decimal decimal
                ? DataType.decimal(38, decimal.scale())
                : DataType.INT64;
        this.values = new FrameValues(column);
        take(column, frames);
    }

    private void take(FixedWidthColumn next, WindowFrames over) {
        column = next;
        frames = over;
        nullable = next.hasNulls();
        unsigned = next.type() instanceof DataType.Int integer && !integer.signed();
    }

    @Override
    public void goOn(Column next, WindowFrames over) {
        take((FixedWidthColumn) next, over);
        values.goOn(next);
        partition = 0;
        first = 0;
        behind = 0;
    }

    @Override
    public Column next(int from, int to) {
        int rows = to - from;
        boolean wide = type instanceof DataType.Decimal;
        try (NumberColumnBuilder made = new NumberColumnBuilder(allocator, type, rows)) {
            for (int row = 0; row < rows; row++) {
                frames.move(from + row);
                move();
                if (values.in(frames) > 0) {
                    made.there(row);
                    if (!write(made.data(), row, wide)) {
                        throw overflow(name, type);
                    }
                }
            }
            return made.column();
        }
    }

    private void move() {
        if (frames.partition() != partition) {
            partition = frames.partition();
            jump();
        }
        if (frames.from >= behind) {
            if (frames.from > first) {
                jump();
            }
        } else {
            for (; first < frames.from; first++) {
                if (!nullable || !column.isNull(first)) {
                    subtract(first);
                }
            }
        }
        for (; behind < frames.to; behind++) {
            if (!nullable || !column.isNull(behind)) {
                add(behind);
            }
        }
    }

    private void jump() {
        first = frames.from;
        behind = frames.from;
        low = 0;
        middle = 0;
        high = 0;
    }

    private void add(int row) {
        long value = low(row);
        long upper = upper(row, value);
        long sum = low + value;
        long carry = Long.compareUnsigned(sum, value) < 0 ? 1 : 0;
        long next = middle + upper;
        long over = Long.compareUnsigned(next, upper) < 0 ? 1 : 0;
        long both = next + carry;
        over += both == 0 && carry == 1 ? 1 : 0;
        low = sum;
        middle = both;
        high += (upper >> 63) + over;
    }

    private void subtract(int row) {
        long value = low(row);
        long upper = upper(row, value);
        long borrow = Long.compareUnsigned(low, value) < 0 ? 1 : 0;
        long next = middle - upper;
        long under = Long.compareUnsigned(middle, upper) < 0 ? 1 : 0;
        under += next == 0 && borrow == 1 ? 1 : 0;
        low -= value;
        middle = next - borrow;
        high -= (upper >> 63) + under;
    }

    private long upper(int row, long value) {
        return column instanceof DecimalColumn decimals ? decimals.high(row) : unsigned ? 0 : value >> 63;
    }

    private long low(int row) {
        return switch (column) {
            case DecimalColumn c -> c.low(row);
            case LongColumn c -> c.get(row);
            case IntColumn c -> unsigned ? c.get(row) & 0xFFFFFFFFL : c.get(row);
            case ShortColumn c -> unsigned ? c.get(row) & 0xFFFFL : c.get(row);
            case ByteColumn c -> unsigned ? c.get(row) & 0xFFL : c.get(row);
            case HalfColumn _, FloatColumn _, DoubleColumn _, TensorColumn _ ->
                throw MillraceException.internal(column.type() + " has no exact sum");
        };
    }

    /// Writes the sum; false if it does not fit.
    private boolean write(MemorySegment data, int row, boolean wide) {
        if (high != middle >> 63) {
            return false;
        }
        if (!wide) {
            data.setAtIndex(JAVA_LONG, row, low);
            return middle == low >> 63;
        }
        data.setAtIndex(JAVA_LONG, 2L * row, low);
        data.setAtIndex(JAVA_LONG, 2L * row + 1, middle);
        boolean negative = middle < 0;
        long top = negative ? ~middle + (low == 0 ? 1 : 0) : middle;
        long bottom = negative ? -low : low;
        return top >= 0 && (top < LIMIT_HIGH || top == LIMIT_HIGH && Long.compareUnsigned(bottom, LIMIT_LOW) < 0);
    }

    @Override
    public void close() {
        // The caller owns the column.
    }

    private static MillraceException overflow(String name, DataType type) {
        return MillraceException.data(name + ": a sum is beyond " + type
                + ". Cast the column to float64 or to a decimal first, e.g."
                + " withColumn(\"wide\", col(...).cast(DataType.FLOAT64)).");
    }
}
