package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// float16, read as float.
public final class HalfColumn extends FixedWidthColumn {
    /// A view of buffers, which the caller keeps owning.
    public HalfColumn(DataType type, long length, Buffer data, @Nullable Buffer validity, long offset, long nullCount) {
        super(type, Short.BYTES, length, data, validity, offset, nullCount);
    }

    /// The value, widened without loss; undefined if [#isNull].
    public float get(long index) {
        return Float.float16ToFloat(bits(index));
    }

    /// The stored binary16 bits.
    public short bits(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.getAtIndex(JAVA_SHORT, index);
    }

    /// A copy of the values, widened; null values are undefined.
    public float[] toArray() {
        float[] array = new float[Math.toIntExact(length)];
        for (int i = 0; i < array.length; i++) {
            array[i] = get(i);
        }
        return array;
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : get(index);
    }

    @Override
    public HalfColumn slice(long from, long count) {
        checkSlice(from, count);
        return new HalfColumn(type, count, data, validity, offset() + from, UNKNOWN_NULLS);
    }
}
