package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Builds a [HalfColumn].
public final class HalfBuilder extends FixedWidthBuilder {
    /// A builder with an initial capacity of `expected` values; it grows as needed.
    public HalfBuilder(Allocator allocator, DataType type, long expected) {
        super(allocator, type, Short.BYTES, expected);
    }

    /// Appends the nearest float16.
    public void append(float value) {
        appendBits(Float.floatToFloat16(value));
    }

    /// Appends a 16-bit number in stored form.
    public void appendBits(short bits) {
        reserve(1);
        markValid();
        values.setAtIndex(JAVA_SHORT, length++, bits);
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
    public HalfColumn build() {
        long nulls = nullCount();
        return new HalfColumn(type, length, takeData(), takeValidity(), 0, nulls);
    }
}
