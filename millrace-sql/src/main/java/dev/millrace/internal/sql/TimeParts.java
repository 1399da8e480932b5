package dev.millrace.internal.sql;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;
import java.util.List;
import java.util.Locale;

/// Parts of dates and timestamps by their SQL names, all int64 but the epoch.
final class TimeParts {
    /// The parts that are functions too, `day(time)`; the standard has some of them.
    static final List<String> NAMES = List.of(
            "year",
            "quarter",
            "month",
            "week",
            "weekofyear",
            "day",
            "dayofmonth",
            "dayofweek",
            "weekday",
            "isodow",
            "dayofyear",
            "hour",
            "minute",
            "second");

    private TimeParts() {}

    /// @param name as in `extract(name from time)`
    static Expression part(String name, Expression time) {
        if (name.equalsIgnoreCase("epoch")) {
            return epoch(time);
        }
        Expression part = switch (name.toLowerCase(Locale.ROOT)) {
            case "year" -> time.year();
            case "quarter" -> time.quarter();
            case "month" -> time.month();
            case "week", "weekofyear" -> time.week();
            case "day", "dayofmonth" -> time.day();
            case "dow", "dayofweek", "weekday" -> time.dayOfWeek().mod(7);
            case "isodow" -> time.dayOfWeek();
            case "doy", "dayofyear" -> time.dayOfYear();
            case "hour" -> time.hour();
            case "minute" -> time.minute();
            case "second" -> time.second();
            default ->
                throw MillraceException.user("'" + name + "' is no part of a time that is supported. Use year, quarter,"
                        + " month, week, day, dow, isodow, doy, hour, minute, second or epoch.");
        };
        return part.cast(DataType.INT64);
    }

    /// Seconds since 1970, with their fraction.
    static Expression epoch(Expression time) {
        return time.epochMillis().cast(DataType.FLOAT64).dividedBy(1000.0);
    }

    /// How many borders of the unit lie between two times.
    static Expression difference(String unit, Expression from, Expression to) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "year" -> part("year", to).minus(part("year", from));
            case "month" ->
                part("year", to)
                        .minus(part("year", from))
                        .times(12)
                        .plus(part("month", to).minus(part("month", from)));
            case "day" -> from.daysUntil(to).cast(DataType.INT64);
            case "hour" -> seconds("hour", from, to).intDiv(3600);
            case "minute" -> seconds("minute", from, to).intDiv(60);
            case "second" -> seconds("second", from, to);
            default ->
                throw MillraceException.user("date_diff: '" + unit + "' is no unit that is supported. Use year, month,"
                        + " day, hour, minute or second.");
        };
    }

    private static Expression seconds(String unit, Expression from, Expression to) {
        return to.truncate(unit).epochSeconds().minus(from.truncate(unit).epochSeconds());
    }
}
