package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Builds a [ShortColumn].
public final class ShortBuilder extends FixedWidthBuilder {
    /// A builder with an initial capacity of `expected` values; it grows as needed.
    public ShortBuilder(Allocator allocator, DataType type, long expected) {
        super(allocator, type, Short.BYTES, expected);
    }

    /// Appends a value in stored form.
    public void append(short value) {
        if (length == capacity) {
            growData(length + 1);
        }
        markValid();
        values.setAtIndex(JAVA_SHORT, length++, value);
    }

    /// Appends `count` values of `source` from `from`.
    public void append(short[] source, int from, int count) {
        reserve(count);
        markValid(count);
        MemorySegment.copy(source, from, values, JAVA_SHORT, length * Short.BYTES, count);
        length += count;
    }

    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else {
            append(JavaValues.toShort(type, value));
        }
    }

    @Override
    public ShortColumn build() {
        long nulls = nullCount();
        return new ShortColumn(type, length, takeData(), takeValidity(), 0, nulls);
    }
}
