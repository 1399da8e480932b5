package dev.millrace.internal.parquet.prune;

import dev.millrace.internal.parquet.format.LogicalType;
import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.format.ValueStatistics;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Converts bounds of statistics and literals of filters to one Java type per kind of type, so that they can be
/// compared: numbers and decimals to BigDecimal, floats to Double, times to nanoseconds as BigDecimal, strings and
/// bytes to [Bytes], booleans to Boolean. Null if unknown or not supported.
final class ComparableBounds {
    private ComparableBounds() {}

    /// Byte strings in the order of unsigned bytes.
    record Bytes(byte[] value) implements Comparable<Bytes> {
        @Override
        public int compareTo(Bytes other) {
            return Arrays.compareUnsigned(value, other.value);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes bytes && compareTo(bytes) == 0;
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }
    }

    /// Null if the statistics contradict themselves or the column, so that none of them can be trusted: more nulls than
    /// values, nulls in a required column, bounds although all values are null, bounds in the wrong order or of a width
    /// that does not fit the column.
    ///
    /// @param values the number of values, including nulls
    static @Nullable ColumnRange range(SchemaNode.Leaf leaf, @Nullable ValueStatistics statistics, long values) {
        if (statistics == null) {
            return ColumnRange.UNKNOWN;
        }
        long nulls = statistics.nulls();
        boolean bounded = statistics.min() != null || statistics.max() != null;
        boolean allNull = nulls >= 0 && nulls == values;
        if (nulls > values || nulls > 0 && leaf.definition() == 0 || allNull && bounded && values > 0) {
            return null;
        }
        boolean usable = orderIsKnown(leaf) && (statistics.ordered() || oldOrderHolds(leaf));
        byte[] least = usable ? statistics.min() : null;
        byte[] most = usable ? statistics.max() : null;
        if (isMalformed(leaf, least) || isMalformed(leaf, most)) {
            return null;
        }
        Comparable<?> min = least == null ? null : bound(leaf, least);
        Comparable<?> max = most == null || isShortened(leaf, most) ? null : bound(leaf, most);
        // A NaN bound invalidates both bounds, and so does a number outside of the type's range.
        if (isNan(min) || isNan(max) || isBeyond(min, leaf.type()) || isBeyond(max, leaf.type())) {
            min = null;
            max = null;
        }
        // A zero may have either sign.
        if (min instanceof Double low && low == 0) {
            min = -0.0;
        }
        if (max instanceof Double high && high == 0) {
            max = 0.0;
        }
        if (min != null && max != null && compare(min, max) > 0) {
            return null;
        }
        return new ColumnRange(min, max, nulls != 0, allNull);
    }

    /// Compares two bounds of one leaf.
    @SuppressWarnings("unchecked")
    static int compare(Comparable<?> one, Comparable<?> other) {
        return ((Comparable<Object>) one).compareTo(other);
    }

    private static boolean isNan(@Nullable Comparable<?> bound) {
        return bound instanceof Double number && number.isNaN();
    }

    /// Values are stored in 32 bits or more, and those beyond a narrower type are truncated: they keep no order.
    private static boolean isBeyond(@Nullable Comparable<?> bound, DataType type) {
        if (!(type instanceof DataType.Int integer) || !(bound instanceof BigDecimal number)) {
            return false;
        }
        int bits = integer.bits() - (integer.signed() ? 1 : 0);
        return number.toBigInteger().bitLength() > bits;
    }

    /// Whether bounds have the order in which the column's values are compared here: not if the logical type has no
    /// order, nor if it was ignored and has another order than the physical type.
    private static boolean orderIsKnown(SchemaNode.Leaf leaf) {
        return switch (leaf.element().logical()) {
            case null -> true;
            case LogicalType.Integer integer ->
                leaf.type() instanceof DataType.Int read && read.signed() == integer.signed();
            case LogicalType.Decimal _ -> leaf.type() instanceof DataType.Decimal;
            case LogicalType.Half _ -> leaf.type() instanceof DataType.Float;
            case LogicalType.Other other -> other.ordered();
            case LogicalType.Null _, LogicalType.ListOf _, LogicalType.MapOf _ -> false;
            case LogicalType.Text _, LogicalType.Date _, LogicalType.Time _, LogicalType.Timestamp _ -> true;
        };
    }

    private static boolean isMalformed(SchemaNode.Leaf leaf, byte @Nullable [] plain) {
        if (plain == null) {
            return false;
        }
        boolean decimal = leaf.type() instanceof DataType.Decimal;
        return switch (leaf.element().leafType()) {
            case BOOLEAN -> plain.length != 1;
            case INT32, FLOAT -> plain.length != Integer.BYTES;
            case INT64, DOUBLE -> plain.length != Long.BYTES;
            case INT96 -> plain.length != 12;
            // Bounds of byte strings may be truncated.
            case FIXED_LEN_BYTE_ARRAY ->
                decimal
                        ? plain.length != leaf.element().typeLength()
                        : plain.length > leaf.element().typeLength();
            case BYTE_ARRAY -> decimal && plain.length == 0;
        };
    }

    /// Whether an upper bound is shorter than every value of the column. If it was truncated and not incremented, it is
    /// less than the values that begin with it, and nothing shows the difference. A lower bound may be truncated.
    private static boolean isShortened(SchemaNode.Leaf leaf, byte[] max) {
        return leaf.element().type() == PhysicalType.FIXED_LEN_BYTE_ARRAY
                && max.length < leaf.element().typeLength();
    }

    /// The deprecated min and max of old files were compared as signed bytes, which is right for signed numbers only.
    private static boolean oldOrderHolds(SchemaNode.Leaf leaf) {
        boolean signed = !(leaf.type() instanceof DataType.Int integer) || integer.signed();
        return signed
                && leaf.element().type() != PhysicalType.BYTE_ARRAY
                && leaf.element().type() != PhysicalType.FIXED_LEN_BYTE_ARRAY;
    }

    /// A value in plain encoding, of a valid width.
    private static @Nullable Comparable<?> bound(SchemaNode.Leaf leaf, byte[] plain) {
        ByteBuffer in = ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
        return switch (leaf.element().leafType()) {
            case BOOLEAN -> plain[0] != 0;
            case INT32 -> number(leaf.type(), in.getInt());
            case INT64 -> number(leaf.type(), in.getLong());
            case FLOAT -> (double) in.getFloat();
            case DOUBLE -> in.getDouble();
            case INT96 -> null;
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY ->
                switch (leaf.type()) {
                    case DataType.Decimal decimal -> new BigDecimal(new BigInteger(plain), decimal.scale());
                    case DataType.Utf8 _, DataType.Binary _ -> new Bytes(plain);
                    case DataType.Null _,
                            DataType.Bool _,
                            DataType.Int _,
                            DataType.Float _,
                            DataType.Temporal _,
                            DataType.Dictionary _,
                            DataType.Nested _ -> null;
                };
        };
    }

    private static @Nullable Comparable<?> number(DataType type, long value) {
        return switch (type) {
            case DataType.Int integer ->
                integer.signed()
                        ? BigDecimal.valueOf(value)
                        : new BigDecimal(
                                integer.bits() == 64
                                        ? new BigInteger(Long.toUnsignedString(value))
                                        : BigInteger.valueOf(value & 0xFFFF_FFFFL));
            case DataType.Decimal decimal -> BigDecimal.valueOf(value, decimal.scale());
            case DataType.Date _ -> BigDecimal.valueOf(value);
            case DataType.Time time -> nanos(value, time.unit());
            case DataType.Timestamp time -> nanos(value, time.unit());
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Float _,
                    DataType.Duration _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> null;
        };
    }

    private static BigDecimal nanos(long value, TimeUnit unit) {
        return BigDecimal.valueOf(value).multiply(BigDecimal.valueOf(1_000_000_000L / unit.perSecond()));
    }

    /// A literal in the form that compares with a column of `type`; null if the comparison is not supported here.
    static @Nullable Comparable<?> literal(Object value, DataType type) {
        return switch (type) {
            case DataType.Int _, DataType.Decimal _ ->
                switch (value) {
                    case BigDecimal number -> number;
                    case Byte _, Short _, Integer _, Long _ -> BigDecimal.valueOf(((Number) value).longValue());
                    default -> null;
                };
            // No int64 literals: a comparison with a float is not exact beyond 2^53.
            case DataType.Float real
            when real.bits() > 16 ->
                switch (value) {
                    case Float number -> number.isNaN() ? null : (Comparable<?>) number.doubleValue();
                    case Double number -> number.isNaN() || real.bits() == 32 ? null : (Comparable<?>) number;
                    case Byte _, Short _, Integer _ -> ((Number) value).doubleValue();
                    default -> null;
                };
            case DataType.Date _ -> value instanceof LocalDate date ? BigDecimal.valueOf(date.toEpochDay()) : null;
            case DataType.Time _ -> value instanceof LocalTime time ? BigDecimal.valueOf(time.toNanoOfDay()) : null;
            case DataType.Timestamp time
            when time.zone() == null ->
                value instanceof LocalDateTime local ? nanos(local.toInstant(ZoneOffset.UTC)) : null;
            case DataType.Timestamp _ -> value instanceof ZonedDateTime instant ? nanos(instant.toInstant()) : null;
            case DataType.Utf8 _ ->
                value instanceof String text ? new Bytes(text.getBytes(StandardCharsets.UTF_8)) : null;
            case DataType.Binary _ -> value instanceof byte[] bytes ? new Bytes(bytes) : null;
            case DataType.Bool _ -> value instanceof Boolean flag ? flag : null;
            case DataType.Null _, DataType.Float _, DataType.Duration _, DataType.Dictionary _, DataType.Nested _ ->
                null;
        };
    }

    private static BigDecimal nanos(Instant instant) {
        return BigDecimal.valueOf(instant.getEpochSecond())
                .multiply(BigDecimal.valueOf(1_000_000_000L))
                .add(BigDecimal.valueOf(instant.getNano()));
    }
}
