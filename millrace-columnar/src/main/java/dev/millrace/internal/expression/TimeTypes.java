package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.TimeFunction;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
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
            case HOUR, MINUTE, SECOND -> {
                CallArguments.require(clock, call, 0, type, "a timestamp or time");
                yield DataType.INT32;
            }
            case EPOCH_SECONDS, EPOCH_MILLIS -> {
                CallArguments.require(date, call, 0, type, "a date or timestamp");
                yield DataType.INT64;
            }
            case TRUNCATE -> {
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
            case PARSE_DATE -> {
                CallArguments.requireText(call, 0, type);
                formatter(call);
                yield DataType.DATE;
            }
            case PARSE_TIMESTAMP -> {
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
