package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Builds a [IntColumn].
public final class IntBuilder extends FixedWidthBuilder {
    /// A builder with an initial capacity of `expected` values; it grows as needed.
    public IntBuilder(Allocator allocator, DataType type, long expected) {
        super(allocator, type, Integer.BYTES, expected);
    }

    /// Appends a value in stored form.
    public void append(int value) {
        if (length == capacity) {
            growData(length + 1);
        }
        markValid();
        values.setAtIndex(JAVA_INT, length++, value);
    }

    /// Appends `count` values of `source` from `from`.
    public void append(int[] source, int from, int count) {
        reserve(count);
        markValid(count);
        MemorySegment.copy(source, from, values, JAVA_INT, length * Integer.BYTES, count);
        length += count;
    }

    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else {
            append(JavaValues.toInt(type, value));
        }
    }

    @Override
    public IntColumn build() {
        long nulls = nullCount();
        return new IntColumn(type, length, takeData(), takeValidity(), 0, nulls);
    }
}
