package dev.millrace.expression;

import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;
import static dev.millrace.expression.NamedFunctions.add;
import static dev.millrace.expression.NamedFunctions.text;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// Functions of dates and times; parts are int64, except the epoch.
final class NamedTimes {
    /// The parts that are also functions, `day(time)`.
    private static final List<String> PARTS = List.of(
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

    private static final List<String> MONTHS = List.of(
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December");
    private static final List<String> DAYS =
            List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");

    private NamedTimes() {}

    static void addAll() {
        add("date_trunc", 2, a -> a.get(1).truncate(text("date_trunc", a, 0)));
        add("date_part", 2, a -> part(text("date_part", a, 0), a.get(1)));
        for (String name : List.of("date_diff", "datediff")) {
            add(name, 3, a -> difference(text(name, a, 0), a.get(1), a.get(2)));
        }
        add(
                "last_day",
                1,
                a -> a.get(0)
                        .cast(DataType.DATE)
                        .truncate("month")
                        .plusMonths(1)
                        .plusDays(-1));
        for (String part : PARTS) {
            add(part, 1, a -> part(part, a.get(0)));
        }
        add("epoch", 1, a -> epoch(a.get(0)));
        add("epoch_ms", 1, a -> a.get(0).epochMillis());
        add("monthname", 1, a -> named(a.get(0).month(), MONTHS));
        add("dayname", 1, a -> named(a.get(0).dayOfWeek(), DAYS));
        for (String name : List.of("now", "current_timestamp", "localtimestamp")) {
            add(name, 0, _ -> lit(now()));
        }
        add("current_time", 0, _ -> lit(now().toLocalTime()));
        add("localtime", 0, _ -> lit(now().toLocalTime()));
        add("today", 0, _ -> lit(LocalDate.now(ZoneOffset.UTC)));
        add("current_date", 0, _ -> lit(LocalDate.now(ZoneOffset.UTC)));
    }

    /// The current time in UTC, in microseconds like the timestamps of queries.
    private static LocalDateTime now() {
        return LocalDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
    }

    /// The name for a number that starts at 1.
    private static Expression named(Expression number, List<String> names) {
        Conditional.Then branches = when(number.eq(1)).then(names.getFirst());
        for (int i = 1; i < names.size(); i++) {
            branches = branches.when(number.eq(i + 1)).then(names.get(i));
        }
        return branches.orNull();
    }

    /// @param name as in `extract(name from time)`
    private static Expression part(String name, Expression time) {
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

    /// The seconds since 1970, with their fraction.
    private static Expression epoch(Expression time) {
        return time.epochMillis().cast(DataType.FLOAT64).dividedBy(1000.0);
    }

    /// The number of boundaries of the unit between two times.
    private static Expression difference(String unit, Expression from, Expression to) {
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
