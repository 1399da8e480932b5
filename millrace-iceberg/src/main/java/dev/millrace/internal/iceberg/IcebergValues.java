package dev.millrace.internal.iceberg;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// Converts single values between the library's internal representation (days, microseconds, buffers) and the values of
/// Millrace's columns.
final class IcebergValues {
    private static final long NANOS = 1_000;

    private IcebergValues() {}

    /// Converts a value of the library to a value of a column.
    static @Nullable Object toJava(Type type, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        return switch (type.typeId()) {
            case DATE -> LocalDate.ofEpochDay((Integer) value);
            case TIME -> LocalTime.ofNanoOfDay((Long) value * NANOS);
            case TIMESTAMP -> stamp((Long) value, ChronoUnit.MICROS, ((Types.TimestampType) type).shouldAdjustToUTC());
            case TIMESTAMP_NANO ->
                stamp((Long) value, ChronoUnit.NANOS, ((Types.TimestampNanoType) type).shouldAdjustToUTC());
            case STRING -> value.toString();
            case UUID -> bytes((UUID) value);
            case FIXED, BINARY -> value instanceof ByteBuffer buffer ? bytes(buffer) : value;
            default -> value;
        };
    }

    private static Object stamp(long value, ChronoUnit unit, boolean utc) {
        Instant instant = Instant.EPOCH.plus(value, unit);
        return utc ? instant : LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    /// Converts a column's value to the library's representation: exactly, or null if it has none.
    static @Nullable Object toIceberg(Type type, Object value) {
        return switch (type.typeId()) {
            case BOOLEAN -> value instanceof Boolean ? value : null;
            case INTEGER -> {
                Long number = integer(value);
                yield number == null || number != number.intValue() ? null : (Object) number.intValue();
            }
            case LONG -> integer(value);
            case FLOAT -> {
                Double number = real(value);
                yield number == null || number != number.floatValue() ? null : (Object) number.floatValue();
            }
            case DOUBLE -> real(value);
            case DATE -> value instanceof LocalDate date ? (Object) Math.toIntExact(date.toEpochDay()) : null;
            case TIME ->
                value instanceof LocalTime time && time.toNanoOfDay() % NANOS == 0
                        ? (Object) (time.toNanoOfDay() / NANOS)
                        : null;
            case TIMESTAMP -> micros(value, ((Types.TimestampType) type).shouldAdjustToUTC());
            case STRING -> value instanceof String ? value : null;
            case BINARY -> value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : null;
            case DECIMAL -> decimal((Types.DecimalType) type, value);
            default -> null;
        };
    }

    private static @Nullable Long integer(Object value) {
        return switch (value) {
            case Long number -> number;
            case Integer number -> number.longValue();
            case Short number -> number.longValue();
            case Byte number -> number.longValue();
            case null, default -> null;
        };
    }

    private static @Nullable Double real(Object value) {
        return switch (value) {
            case Double number -> number;
            case Float number -> number.doubleValue();
            case Integer number -> number.doubleValue();
            case null, default -> null;
        };
    }

    private static @Nullable Object micros(Object value, boolean utc) {
        Instant instant = switch (value) {
            case LocalDateTime time when !utc -> time.toInstant(ZoneOffset.UTC);
            case ZonedDateTime time when utc -> time.toInstant();
            case Instant time when utc -> time;
            case null, default -> null;
        };
        return instant == null || instant.get(ChronoField.NANO_OF_SECOND) % NANOS != 0
                ? null
                : (Object) ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    private static @Nullable Object decimal(Types.DecimalType type, Object value) {
        BigDecimal number = switch (value) {
            case BigDecimal decimal -> decimal;
            case Integer whole -> BigDecimal.valueOf(whole);
            case Long whole -> BigDecimal.valueOf(whole);
            case null, default -> null;
        };
        if (number == null) {
            return null;
        }
        BigDecimal plain = number.stripTrailingZeros();
        return plain.scale() > type.scale() || plain.precision() - plain.scale() > type.precision() - type.scale()
                ? null
                : number.setScale(type.scale());
    }
}
