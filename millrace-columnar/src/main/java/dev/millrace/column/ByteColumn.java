package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// 8-bit integers: int8, uint8.
public final class ByteColumn extends FixedWidthColumn {
    private final boolean unsigned;

    /// A view of buffers, which the caller keeps owning.
    public ByteColumn(DataType type, long length, Buffer data, @Nullable Buffer validity, long offset, long nullCount) {
        super(type, Byte.BYTES, length, data, validity, offset, nullCount);
        this.unsigned = type instanceof DataType.Int integer && !integer.signed();
    }

    /// The value; undefined if [#isNull]. For uint8 its bits.
    public byte get(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.getAtIndex(JAVA_BYTE, index);
    }

    /// The value as an int, zero-extended if the type is unsigned.
    public int toInt(long index) {
        return unsigned ? Byte.toUnsignedInt(get(index)) : get(index);
    }

    /// A copy of the values in stored form; null values are undefined.
    public byte[] toArray() {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.toArray(JAVA_BYTE);
    }

    /// Copies `count` values from `from` into `target` at `at`.
    public void copyTo(long from, byte[] target, int at, int count) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        MemorySegment.copy(values, JAVA_BYTE, from * Byte.BYTES, target, at, count);
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : JavaValues.ofByte(type, get(index));
    }

    @Override
    public ByteColumn slice(long from, long count) {
        checkSlice(from, count);
        return new ByteColumn(type, count, data, validity, offset() + from, UNKNOWN_NULLS);
    }
}
