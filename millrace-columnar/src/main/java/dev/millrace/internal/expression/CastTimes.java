package dev.millrace.internal.expression;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/// Casts a single value other than text to dates and times, and dates and times to text.
final class CastTimes {
    private CastTimes() {}

    /// A java.time value that the type stores without loss except that of its unit.
    ///
    /// @throws java.time.DateTimeException if it is beyond the type's range
    static Object toTime(Object value, DataType to) {
        Object time = switch (to) {
            case DataType.Date _ -> toDate(value);
            case DataType.Time type -> cut(toTimeOfDay(value, type), type.unit());
            case DataType.Timestamp type -> toTimestamp(value, type);
            case DataType.Duration type -> {
                Duration duration = value instanceof Number count
                        ? Duration.ofSeconds(
                                Math.floorDiv(count.longValue(), type.unit().perSecond()),
                                nanos(count.longValue(), type.unit()))
                        : (Duration) value;
                yield duration;
            }
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw new IllegalArgumentException(to + " is no time");
        };
        if (FixedOutput.width(to) == 8) {
            JavaValues.toLong(to, time);
        } else {
            JavaValues.toInt(to, time);
        }
        return time;
    }

    private static long nanos(long count, TimeUnit unit) {
        return Math.floorMod(count, unit.perSecond()) * (1_000_000_000L / unit.perSecond());
    }

    private static LocalTime cut(LocalTime time, TimeUnit unit) {
        long step = 1_000_000_000L / unit.perSecond();
        return LocalTime.ofNanoOfDay(time.toNanoOfDay() / step * step);
    }

    private static LocalDate toDate(Object value) {
        return switch (value) {
            case Number days -> LocalDate.ofEpochDay(days.longValue());
            case LocalDateTime time -> time.toLocalDate();
            case ZonedDateTime time -> time.toLocalDate();
            default -> throw new IllegalArgumentException(value + " is no date");
        };
    }

    private static LocalTime toTimeOfDay(Object value, DataType.Time type) {
        return switch (value) {
            case Number count ->
                LocalTime.ofNanoOfDay(Math.multiplyExact(
                        count.longValue(), 1_000_000_000L / type.unit().perSecond()));
            case LocalTime time -> time;
            case LocalDateTime time -> time.toLocalTime();
            case ZonedDateTime time -> time.toLocalTime();
            default -> throw new IllegalArgumentException(value + " is no time");
        };
    }

    private static Object toTimestamp(Object value, DataType.Timestamp type) {
        ZoneId zone = type.zone() == null ? null : ZoneId.of(type.zone());
        return switch (value) {
            case Number count -> {
                long seconds = Math.floorDiv(count.longValue(), type.unit().perSecond());
                LocalDateTime utc = LocalDateTime.ofEpochSecond(
                        seconds, (int) nanos(count.longValue(), type.unit()), ZoneOffset.UTC);
                yield zone == null ? utc : utc.atZone(ZoneId.of("UTC")).withZoneSameInstant(zone);
            }
            case LocalDate date -> zone == null ? date.atStartOfDay() : date.atStartOfDay(zone);
            case LocalDateTime time -> zone == null ? time : time.atZone(zone);
            case ZonedDateTime time -> zone == null ? time.toLocalDateTime() : time.withZoneSameInstant(zone);
            default -> throw new IllegalArgumentException(value + " is no timestamp");
        };
    }

    /// A number, boolean, date, time or duration as text; times include their seconds.
    static String toText(Object value) {
        return switch (value) {
            case LocalDateTime time -> DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time);
            case ZonedDateTime time -> DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time);
            case LocalTime time -> DateTimeFormatter.ISO_LOCAL_TIME.format(time);
            default -> value.toString();
        };
    }
}
