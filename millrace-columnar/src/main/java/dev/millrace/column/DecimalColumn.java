package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// Decimals: unscaled 128-bit two's complement integers, the low half first.
public final class DecimalColumn extends FixedWidthColumn {
    static final int WIDTH = 16;
    private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);

    private final int scale;

    /// A view of buffers, which the caller keeps owning.
    public DecimalColumn(
            DataType.Decimal type, long length, Buffer data, @Nullable Buffer validity, long offset, long nullCount) {
        super(type, WIDTH, length, data, validity, offset, nullCount);
        this.scale = type.scale();
    }

    /// The value; undefined if [#isNull].
    public BigDecimal get(long index) {
        long low = low(index);
        long high = high(index);
        return high == low >> 63 ? BigDecimal.valueOf(low, scale) : new BigDecimal(unscaled(high, low), scale);
    }

    /// The low 64 bits of the unscaled value.
    public long low(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.getAtIndex(JAVA_LONG, 2 * index);
    }

    /// The high 64 bits of the unscaled value, with its sign.
    public long high(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.getAtIndex(JAVA_LONG, 2 * index + 1);
    }

    /// The number of fractional digits.
    public int scale() {
        return scale;
    }

    private static BigInteger unscaled(long high, long low) {
        BigInteger unsignedLow = BigInteger.valueOf(low);
        return BigInteger.valueOf(high).shiftLeft(64).add(low < 0 ? unsignedLow.add(TWO_64) : unsignedLow);
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : get(index);
    }

    @Override
    public DecimalColumn slice(long from, long count) {
        checkSlice(from, count);
        return new DecimalColumn((DataType.Decimal) type, count, data, validity, offset() + from, UNKNOWN_NULLS);
    }
}
