package dev.millrace.internal.parquet.prune;

import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The bytes that a leaf stores for a literal, in plain encoding and without a length: the input of bloom filters.
public final class StoredValue {
    private StoredValue() {}

    /// Null if the literal has several representations or none.
    public static byte @Nullable [] of(Object literal, SchemaNode.Leaf leaf) {
        PhysicalType stored = leaf.element().type();
        return switch (ComparableBounds.literal(literal, leaf.type())) {
            case null -> null;
            case ComparableBounds.Bytes(byte[] bytes) -> stored == PhysicalType.BYTE_ARRAY ? bytes : null;
            // Zero has two representations, which are equal.
            case Double number when number == 0 -> null;
            case Double number when stored == PhysicalType.DOUBLE -> longs(Double.doubleToRawLongBits(number));
            case Double number
            when stored == PhysicalType.FLOAT && number == (double) number.floatValue() ->
                ints(Float.floatToRawIntBits(number.floatValue()));
            case BigDecimal number -> number(number, leaf);
            default -> null;
        };
    }

    private static byte @Nullable [] number(BigDecimal value, SchemaNode.Leaf leaf) {
        BigInteger whole;
        try {
            whole = scaled(value, leaf.type()).toBigIntegerExact();
        } catch (ArithmeticException e) {
            return null;
        }
        boolean unsigned = leaf.type() instanceof DataType.Int integer && !integer.signed();
        int most = unsigned ? 0 : 1;
        return switch (leaf.element().leafType()) {
            case INT32 -> whole.bitLength() + most <= 32 ? ints(whole.intValue()) : null;
            case INT64 -> whole.bitLength() + most <= 64 ? longs(whole.longValue()) : null;
            case FIXED_LEN_BYTE_ARRAY ->
                leaf.type() instanceof DataType.Decimal
                        ? extended(whole, leaf.element().typeLength())
                        : null;
            default -> null;
        };
    }

    /// As a number in the unit of the column.
    private static BigDecimal scaled(BigDecimal value, DataType type) {
        return switch (type) {
            case DataType.Decimal decimal -> value.scaleByPowerOfTen(decimal.scale());
            case DataType.Time time -> fromNanos(value, time.unit());
            case DataType.Timestamp time -> fromNanos(value, time.unit());
            // Stored unchanged.
            default -> value;
        };
    }

    private static BigDecimal fromNanos(BigDecimal nanos, TimeUnit unit) {
        return nanos.divide(BigDecimal.valueOf(1_000_000_000L / unit.perSecond()));
    }

    /// Big-endian, sign-extended.
    private static byte @Nullable [] extended(BigInteger value, int length) {
        byte[] bytes = value.toByteArray();
        if (bytes.length > length) {
            return null;
        }
        byte[] all = new byte[length];
        Arrays.fill(all, (byte) (value.signum() < 0 ? -1 : 0));
        System.arraycopy(bytes, 0, all, length - bytes.length, bytes.length);
        return all;
    }

    private static byte[] ints(int value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }

    private static byte[] longs(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }
}
