package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// Builds a [DecimalColumn].
public final class DecimalBuilder extends FixedWidthBuilder {
    /// A builder with an initial capacity of `expected` values; it grows as needed.
    public DecimalBuilder(Allocator allocator, DataType.Decimal type, long expected) {
        super(allocator, type, DecimalColumn.WIDTH, expected);
    }

    @Override
    public DataType.Decimal type() {
        return (DataType.Decimal) type;
    }

    /// Appends a number; one that the type cannot represent exactly is an error.
    public void append(BigDecimal value) {
        append((Object) value);
    }

    /// Appends an unscaled value by its halves; the caller ensures that it fits the precision.
    public void append(long high, long low) {
        reserve(1);
        markValid();
        values.setAtIndex(JAVA_LONG, 2 * length, low);
        values.setAtIndex(JAVA_LONG, 2 * length + 1, high);
        length++;
    }

    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else {
            BigInteger unscaled = JavaValues.toUnscaled(type(), value);
            append(unscaled.shiftRight(64).longValue(), unscaled.longValue());
        }
    }

    @Override
    public DecimalColumn build() {
        long nulls = nullCount();
        return new DecimalColumn(type(), length, takeData(), takeValidity(), 0, nulls);
    }
}
