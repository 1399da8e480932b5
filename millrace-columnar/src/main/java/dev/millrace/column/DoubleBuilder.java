package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Builds a [DoubleColumn].
public final class DoubleBuilder extends FixedWidthBuilder {
    /// A builder with an initial capacity of `expected` values; it grows as needed.
    public DoubleBuilder(Allocator allocator, DataType type, long expected) {
        super(allocator, type, Double.BYTES, expected);
    }

    /// Appends a value.
    public void append(double value) {
        if (length == capacity) {
            growData(length + 1);
        }
        markValid();
        values.setAtIndex(JAVA_DOUBLE, length++, value);
    }

    /// Appends `count` values of `source` from `from`.
    public void append(double[] source, int from, int count) {
        reserve(count);
        markValid(count);
        MemorySegment.copy(source, from, values, JAVA_DOUBLE, length * Double.BYTES, count);
        length += count;
    }

    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else {
            append(JavaValues.toDouble(type, value));
        }
    }

    @Override
    public DoubleColumn build() {
        long nulls = nullCount();
        return new DoubleColumn(type, length, takeData(), takeValidity(), 0, nulls);
    }
}
