package dev.millrace.internal.value;

import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Converts dates, times and durations between Java's classes and the stored counts. Digits finer than the unit are
/// truncated (towards the past); a value that does not fit the count is an error. A plain integer is the count itself.
final class JavaTimes {
    private static final long NANOS = 1_000_000_000L;
    private static final ConcurrentHashMap<String, ZoneId> ZONES = new ConcurrentHashMap<>();

    private JavaTimes() {}

    static Object of(DataType type, long stored) {
        return switch (type) {
            case DataType.Date _ -> LocalDate.ofEpochDay(stored);
            case DataType.Time time ->
                LocalTime.ofNanoOfDay(stored * (NANOS / time.unit().perSecond()));
            case DataType.Timestamp stamp
            when stamp.zone() == null ->
                LocalDateTime.ofEpochSecond(seconds(stamp.unit(), stored), nanos(stamp.unit(), stored), ZoneOffset.UTC);
            case DataType.Timestamp stamp ->
                Instant.ofEpochSecond(seconds(stamp.unit(), stored), nanos(stamp.unit(), stored))
                        .atZone(zone(stamp.zone()));
            case DataType.Duration duration ->
                Duration.ofSeconds(seconds(duration.unit(), stored), nanos(duration.unit(), stored));
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw new IllegalArgumentException(type + " is no time");
        };
    }

    static long to(DataType type, Object value) {
        if (value instanceof Long || value instanceof Integer) {
            return count(type, ((Number) value).longValue());
        }
        try {
            return switch (type) {
                case DataType.Date _ -> Math.toIntExact(toDate(type, value).toEpochDay());
                case DataType.Time time ->
                    toTime(type, value).toNanoOfDay() / (NANOS / time.unit().perSecond());
                case DataType.Timestamp stamp -> toTimestamp(stamp, value);
                case DataType.Duration duration
                when value instanceof Duration length -> units(duration.unit(), length.getSeconds(), length.getNano());
                case DataType.Duration _ -> throw JavaValues.misfit(type, value, "a Duration");
                case DataType.Null _,
                        DataType.Bool _,
                        DataType.Int _,
                        DataType.Float _,
                        DataType.Decimal _,
                        DataType.Utf8 _,
                        DataType.Binary _,
                        DataType.Dictionary _,
                        DataType.Nested _ -> throw new IllegalArgumentException(type + " is no time");
            };
        } catch (ArithmeticException | DateTimeException e) {
            throw JavaValues.misfit(type, value, "values that its count of units can hold");
        }
    }

    private static LocalDate toDate(DataType type, Object value) {
        if (value instanceof LocalDate date) {
            return date;
        }
        throw JavaValues.misfit(type, value, "a LocalDate");
    }

    private static LocalTime toTime(DataType type, Object value) {
        if (value instanceof LocalTime time) {
            return time;
        }
        throw JavaValues.misfit(type, value, "a LocalTime");
    }

    private static long toTimestamp(DataType.Timestamp type, Object value) {
        if (type.zone() == null) {
            LocalDateTime local = switch (value) {
                case LocalDateTime dateTime -> dateTime;
                case LocalDate date -> date.atStartOfDay();
                case Instant instant -> LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
                default -> throw JavaValues.misfit(type, value, "a LocalDateTime");
            };
            return units(type.unit(), local.toEpochSecond(ZoneOffset.UTC), local.get(ChronoField.NANO_OF_SECOND));
        }
        Instant instant = switch (value) {
            case Instant exact -> exact;
            case ZonedDateTime dateTime -> dateTime.toInstant();
            case OffsetDateTime dateTime -> dateTime.toInstant();
            default -> throw JavaValues.misfit(type, value, "an Instant or a ZonedDateTime");
        };
        return units(type.unit(), instant.getEpochSecond(), instant.getNano());
    }

    private static long count(DataType type, long count) {
        boolean narrow = type instanceof DataType.Date
                || type instanceof DataType.Time time && time.unit().perSecond() <= TimeUnit.MILLISECOND.perSecond();
        if (narrow && count != (int) count) {
            throw JavaValues.misfit(type, count, "counts of 32 bits");
        }
        return count;
    }

    private static long units(TimeUnit unit, long seconds, int nanos) {
        return Math.addExact(Math.multiplyExact(seconds, unit.perSecond()), nanos / (NANOS / unit.perSecond()));
    }

    private static long seconds(TimeUnit unit, long stored) {
        return Math.floorDiv(stored, unit.perSecond());
    }

    private static int nanos(TimeUnit unit, long stored) {
        return (int) (Math.floorMod(stored, unit.perSecond()) * (NANOS / unit.perSecond()));
    }

    private static ZoneId zone(@Nullable String name) {
        return ZONES.computeIfAbsent(name, ZoneId::of);
    }
}
