package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.TimeFunction;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalUnit;
import java.util.List;
import java.util.Locale;

/// Result types of [TimeFunction]s.
final class TimeTypes {
    private TimeTypes() {}

    static DataType result(TimeFunction function, Call call, List<DataType> types) {
        DataType type = types.getFirst();
        boolean isNull = type instanceof DataType.Null;
        boolean date = isNull || type instanceof DataType.Date || type instanceof DataType.Timestamp;
        boolean clock = isNull || type instanceof DataType.Timestamp || type instanceof DataType.Time;
        return switch (function) {
            case YEAR, QUARTER, MONTH, WEEK, DAY, DAY_OF_WEEK, DAY_OF_YEAR -> {
                CallArguments.require(date, call, 0, type, "a date or timestamp");
                yield DataType.INT32;
            }
            case HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND, NANOSECOND -> {
                CallArguments.require(clock, call, 0, type, "a timestamp or time");
                yield DataType.INT32;
            }
            case EPOCH_SECONDS, EPOCH_MILLIS, EPOCH_MICROS -> {
                CallArguments.require(date, call, 0, type, "a date or timestamp");
                yield DataType.INT64;
            }
            case TRUNCATE, CEILING, NEAREST -> {
                CallArguments.require(date, call, 0, type, "a date or timestamp");
                unit(call);
                yield isNull ? DataType.DATE : type;
            }
            case PLUS -> {
                TemporalUnit unit = unit(call);
                CallArguments.requireInteger(call, 2, types.get(2));
                boolean takes = unit.isDateBased() ? date : isNull || type instanceof DataType.Timestamp;
                CallArguments.require(takes, call, 0, type, unit.isDateBased() ? "a date or timestamp" : "a timestamp");
                yield isNull ? DataType.DATE : type;
            }
            case DAYS_BETWEEN -> {
                DataType other = types.get(1);
                CallArguments.require(date, call, 0, type, "a date or timestamp");
                boolean takes = other instanceof DataType.Null
                        || other instanceof DataType.Date
                        || other instanceof DataType.Timestamp;
                CallArguments.require(takes, call, 1, other, "a date or timestamp");
                yield DataType.INT32;
            }
            case UNITS_BETWEEN -> {
                TemporalUnit unit = unit(call);
                boolean days = type instanceof DataType.Date && types.get(2) instanceof DataType.Date;
                if (days && !unit.isDateBased()) {
                    throw MillraceException.user(call + ": dates have no "
                            + unit.toString().toLowerCase(Locale.ROOT) + ". Use day or longer units, or timestamps.");
                }
                commonTime(call, type, types.get(2));
                yield DataType.INT64;
            }
            case AT_ZONE, IN_ZONE -> {
                boolean local = function == TimeFunction.AT_ZONE;
                boolean takes = isNull || type instanceof DataType.Timestamp stamp && (stamp.zone() == null) == local;
                CallArguments.require(
                        takes, call, 0, type, local ? "a timestamp without a zone" : "a timestamp with a zone");
                TimeUnit unit = type instanceof DataType.Timestamp stamp ? stamp.unit() : TimeUnit.MICROSECOND;
                yield DataType.timestamp(unit, zone(call));
            }
            case WITHOUT_ZONE -> {
                boolean takes = isNull || type instanceof DataType.Timestamp stamp && stamp.zone() != null;
                CallArguments.require(takes, call, 0, type, "a timestamp with a zone");
                yield DataType.timestamp(
                        type instanceof DataType.Timestamp stamp ? stamp.unit() : TimeUnit.MICROSECOND);
            }
            case PARSE_DATE, TRY_PARSE_DATE -> {
                CallArguments.requireText(call, 0, type);
                formatter(call);
                yield DataType.DATE;
            }
            case PARSE_TIMESTAMP, TRY_PARSE_TIMESTAMP -> {
                CallArguments.requireText(call, 0, type);
                formatter(call);
                yield DataType.timestamp(TimeUnit.MICROSECOND);
            }
            case FORMAT -> {
                CallArguments.require(date || clock, call, 0, type, "a date or time");
                formatter(call);
                yield DataType.UTF8;
            }
        };
    }

    /// The type of timestamps in which two dates or timestamps are compared: the finer unit, and the zone of the first.
    static DataType.Timestamp commonTime(Call call, DataType first, DataType second) {
        DataType a = TypePromotion.plain(first);
        DataType b = TypePromotion.plain(second);
        TimeUnit unit = TimeUnit.SECOND;
        String zone = null;
        int zones = 0;
        int times = 0;
        for (int argument : new int[] {2, 0}) {
            DataType type = argument == 0 ? a : b;
            boolean takes = type instanceof DataType.Null
                    || type instanceof DataType.Date
                    || type instanceof DataType.Timestamp;
            CallArguments.require(takes, call, argument, type, "a date or timestamp");
            if (type instanceof DataType.Timestamp stamp) {
                unit = stamp.unit().perSecond() > unit.perSecond() ? stamp.unit() : unit;
                zone = stamp.zone() == null ? zone : stamp.zone();
                zones += stamp.zone() == null ? 0 : 1;
            }
            times += type instanceof DataType.Null ? 0 : 1;
        }
        if (zones == 1 && times == 2) {
            throw MillraceException.user(call + ": one of " + a + " and " + b
                    + " has a zone and the other has none. Use atZone or withoutZone for one of them.");
        }
        return zone == null ? DataType.timestamp(unit) : DataType.timestamp(unit, zone);
    }

    /// The zone in argument 1.
    private static String zone(Call call) {
        String name = String.valueOf(CallArguments.constant(call, 1));
        try {
            return ZoneId.of(name).getId();
        } catch (DateTimeException e) {
            throw MillraceException.user(
                    call + ": '" + name + "' is no time zone. Use a name such as Europe/Berlin, or UTC.");
        }
    }

    /// The unit in argument 1.
    static TemporalUnit unit(Call call) {
        String word = String.valueOf(CallArguments.constant(call, 1)).toLowerCase(Locale.ROOT);
        return switch (word) {
            case "year" -> ChronoUnit.YEARS;
            case "quarter" -> IsoFields.QUARTER_YEARS;
            case "month" -> ChronoUnit.MONTHS;
            case "week" -> ChronoUnit.WEEKS;
            case "day" -> ChronoUnit.DAYS;
            case "hour" -> ChronoUnit.HOURS;
            case "minute" -> ChronoUnit.MINUTES;
            case "second" -> ChronoUnit.SECONDS;
            default ->
                throw MillraceException.user(call + ": '" + word
                        + "' is no unit. Use year, quarter, month, week, day, hour, minute or second.");
        };
    }

    /// The pattern in argument 1.
    static DateTimeFormatter formatter(Call call) {
        String pattern = String.valueOf(CallArguments.constant(call, 1));
        try {
            return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
        } catch (IllegalArgumentException e) {
            throw MillraceException.user(call + ": '" + pattern + "' is no date pattern: " + e.getMessage()
                    + ". See java.time.format.DateTimeFormatter.");
        }
    }
}
