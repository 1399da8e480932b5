package dev.millrace.internal.parquet.prune;

import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.format.Statistics;
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

/// Bounds of statistics and literals of filters in one form per kind of type, so that they compare: numbers and
/// decimals
/// as BigDecimal, floats as Double, times in nanoseconds as BigDecimal, strings and bytes as [Bytes], booleans as
/// Boolean. Whatever is not understood is null: unknown.
final class Bounds {
    private Bounds() {}

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

    /// @param values how many there are, nulls included
    static Range range(SchemaNode.Leaf leaf, Statistics statistics, long values) {
        if (statistics == null) {
            return Range.UNKNOWN;
        }
        boolean usable = statistics.ordered() || oldOrderHolds(leaf);
        Comparable<?> min = usable && statistics.min() != null ? bound(leaf, statistics.min()) : null;
        Comparable<?> max = usable && statistics.max() != null ? bound(leaf, statistics.max()) : null;
        if (min instanceof Double low && max instanceof Double high) {
            // A NaN among the bounds makes them worthless; a zero may be one of either sign.
            if (low.isNaN() || high.isNaN()) {
                min = null;
                max = null;
            } else {
                min = low == 0 ? -0.0 : low;
                max = high == 0 ? 0.0 : high;
            }
        }
        return new Range(min, max, statistics.nulls() != 0, statistics.nulls() >= 0 && statistics.nulls() == values);
    }

    /// The min and max of old files were compared as signed: right for signed numbers only.
    private static boolean oldOrderHolds(SchemaNode.Leaf leaf) {
        boolean signed = !(leaf.type() instanceof DataType.Int integer) || integer.signed();
        return signed
                && leaf.element().type() != PhysicalType.BYTE_ARRAY
                && leaf.element().type() != PhysicalType.FIXED_LEN_BYTE_ARRAY;
    }

    /// A value in plain encoding.
    static Comparable<?> bound(SchemaNode.Leaf leaf, byte[] plain) {
        ByteBuffer in = ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
        return switch (leaf.element().type()) {
            case BOOLEAN -> plain.length == 1 ? (Comparable<?>) (plain[0] != 0) : null;
            case INT32 -> plain.length == 4 ? number(leaf.type(), in.getInt()) : null;
            case INT64 -> plain.length == 8 ? number(leaf.type(), in.getLong()) : null;
            case FLOAT -> plain.length == 4 ? (Comparable<?>) (double) in.getFloat() : null;
            case DOUBLE -> plain.length == 8 ? (Comparable<?>) in.getDouble() : null;
            case INT96 -> null;
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY ->
                switch (leaf.type()) {
                    case DataType.Decimal decimal ->
                        plain.length == 0 ? null : new BigDecimal(new BigInteger(plain), decimal.scale());
                    case DataType.Utf8 _, DataType.Binary _ -> new Bytes(plain);
                    default -> null;
                };
        };
    }

    private static Comparable<?> number(DataType type, long value) {
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
            default -> null;
        };
    }

    private static BigDecimal nanos(long value, TimeUnit unit) {
        return BigDecimal.valueOf(value).multiply(BigDecimal.valueOf(1_000_000_000L / unit.perSecond()));
    }

    /// A literal as it compares with a column of `type`; null where they do not compare in a way that is understood
    /// here.
    static Comparable<?> literal(Object value, DataType type) {
        return switch (type) {
            case DataType.Int _, DataType.Decimal _ ->
                switch (value) {
                    case BigDecimal number -> number;
                    case Byte _, Short _, Integer _, Long _ -> BigDecimal.valueOf(((Number) value).longValue());
                    default -> null;
                };
            // An int64 beyond 2^53 compared with a float is not worth the care it needs.
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
            default -> null;
        };
    }

    private static BigDecimal nanos(Instant instant) {
        return BigDecimal.valueOf(instant.getEpochSecond())
                .multiply(BigDecimal.valueOf(1_000_000_000L))
                .add(BigDecimal.valueOf(instant.getNano()));
    }
}
