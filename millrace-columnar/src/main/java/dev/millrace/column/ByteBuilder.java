package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Builds a [ByteColumn].
public final class ByteBuilder extends FixedWidthBuilder {
    /// A builder with an initial capacity of `expected` values; it grows as needed.
    public ByteBuilder(Allocator allocator, DataType type, long expected) {
        super(allocator, type, Byte.BYTES, expected);
    }

    /// Appends a value in stored form.
    public void append(byte value) {
        if (length == capacity) {
            growData(length + 1);
        }
        markValid();
        values.setAtIndex(JAVA_BYTE, length++, value);
    }

    /// Appends `count` values of `source` from `from`.
    public void append(byte[] source, int from, int count) {
        reserve(count);
        markValid(count);
        MemorySegment.copy(source, from, values, JAVA_BYTE, length * Byte.BYTES, count);
        length += count;
    }

    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else {
            append(JavaValues.toByte(type, value));
        }
    }

    @Override
    public ByteColumn build() {
        long nulls = nullCount();
        return new ByteColumn(type, length, takeData(), takeValidity(), 0, nulls);
    }
}
