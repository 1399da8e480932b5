package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Builds a [LongColumn].
public final class LongBuilder extends FixedWidthBuilder {
    /// A builder with an initial capacity of `expected` values; it grows as needed.
    public LongBuilder(Allocator allocator, DataType type, long expected) {
        super(allocator, type, Long.BYTES, expected);
    }

    /// Appends a value in stored form.
    public void append(long value) {
        if (length == capacity) {
            growData(length + 1);
        }
        markValid();
        values.setAtIndex(JAVA_LONG, length++, value);
    }

    /// Appends `count` values of `source` from `from`.
    public void append(long[] source, int from, int count) {
        reserve(count);
        markValid(count);
        MemorySegment.copy(source, from, values, JAVA_LONG, length * Long.BYTES, count);
        length += count;
    }

    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else {
            append(JavaValues.toLong(type, value));
        }
    }

    @Override
    public LongColumn build() {
        long nulls = nullCount();
        return new LongColumn(type, length, takeData(), takeValidity(), 0, nulls);
    }
}
