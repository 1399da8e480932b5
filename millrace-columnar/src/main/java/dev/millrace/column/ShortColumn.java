package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// 16-bit integers: int16, uint16.
public final class ShortColumn extends FixedWidthColumn {
    private final boolean unsigned;

    /// A view of buffers, which the caller keeps owning.
    public ShortColumn(
            DataType type, long length, Buffer data, @Nullable Buffer validity, long offset, long nullCount) {
        super(type, Short.BYTES, length, data, validity, offset, nullCount);
        this.unsigned = type instanceof DataType.Int integer && !integer.signed();
    }

    /// The value; undefined if [#isNull]. For uint16 its bits.
    public short get(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.getAtIndex(JAVA_SHORT, index);
    }

    /// The value as an int, zero-extended if the type is unsigned.
    public int toInt(long index) {
        return unsigned ? Short.toUnsignedInt(get(index)) : get(index);
    }

    /// A copy of the values in stored form; null values are undefined.
    public short[] toArray() {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.toArray(JAVA_SHORT);
    }

    /// Copies `count` values from `from` into `target` at `at`.
    public void copyTo(long from, short[] target, int at, int count) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        MemorySegment.copy(values, JAVA_SHORT, from * Short.BYTES, target, at, count);
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : JavaValues.ofShort(type, get(index));
    }

    @Override
    public ShortColumn slice(long from, long count) {
        checkSlice(from, count);
        return new ShortColumn(type, count, data, validity, offset() + from, UNKNOWN_NULLS);
    }
}
