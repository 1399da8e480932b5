package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Builds a [FloatColumn].
public final class FloatBuilder extends FixedWidthBuilder {
    /// A builder with an initial capacity of `expected` values; it grows as needed.
    public FloatBuilder(Allocator allocator, DataType type, long expected) {
        super(allocator, type, Float.BYTES, expected);
    }

    /// Appends a value.
    public void append(float value) {
        if (length == capacity) {
            growData(length + 1);
        }
        markValid();
        values.setAtIndex(JAVA_FLOAT, length++, value);
    }

    /// Appends `count` values of `source` from `from`.
    public void append(float[] source, int from, int count) {
        reserve(count);
        markValid(count);
        MemorySegment.copy(source, from, values, JAVA_FLOAT, length * Float.BYTES, count);
        length += count;
    }

    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else {
            append(JavaValues.toFloat(type, value));
        }
    }

    @Override
    public FloatColumn build() {
        long nulls = nullCount();
        return new FloatColumn(type, length, takeData(), takeValidity(), 0, nulls);
    }
}
