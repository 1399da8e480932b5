package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.TimeFunction;
import dev.millrace.type.DataType;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAdjusters;
import java.time.temporal.TemporalQueries;
import java.time.temporal.TemporalUnit;
import java.util.List;

/// Binds [TimeFunction]s: parts and simple truncation to kernels, the others to java.time.
final class TimeBinding {
    private TimeBinding() {}

    static ExpressionNode bind(TimeFunction function, Call call, DataType result, List<ExpressionNode> arguments) {
        ExpressionNode input = arguments.getFirst();
        return switch (function) {
            case YEAR,
                    QUARTER,
                    MONTH,
                    WEEK,
                    DAY,
                    DAY_OF_WEEK,
                    DAY_OF_YEAR,
                    HOUR,
                    MINUTE,
                    SECOND,
                    EPOCH_SECONDS,
                    EPOCH_MILLIS -> new TimeFunctions.Part(function, input);
            case TRUNCATE -> truncate(input, TimeTypes.unit(call), result);
            case PLUS -> {
                TemporalUnit unit = TimeTypes.unit(call);
                List<ExpressionNode> operands =
                        List.of(input, CastNode.cast(arguments.get(2), DataType.INT64, true, call));
                yield new RowwiseNode(result, operands, true, (values, row) -> plus(call, unit, values, row));
            }
            case DAYS_BETWEEN ->
                new RowwiseNode(
                        result,
                        arguments,
                        true,
                        (values, row) -> Math.toIntExact(
                                date(values[1]).toEpochDay() - date(values[0]).toEpochDay()));
            case PARSE_DATE, PARSE_TIMESTAMP -> {
                DateTimeFormatter formatter = TimeTypes.formatter(call);
                boolean whole = function == TimeFunction.PARSE_TIMESTAMP;
                yield new RowwiseNode(
                        result,
                        List.of(input),
                        true,
                        (values, row) -> parse(call, formatter, (String) values[0], whole, row));
            }
            case FORMAT -> {
                DateTimeFormatter formatter = TimeTypes.formatter(call);
                yield new RowwiseNode(result, List.of(input), true, (values, row) -> {
                    try {
                        return formatter.format((TemporalAccessor) values[0]);
                    } catch (DateTimeException e) {
                        throw MillraceException.user(call + ": the pattern asks for something that " + values[0]
                                + " does not have: " + e.getMessage() + ".");
                    }
                });
            }
        };
    }

    private static ExpressionNode truncate(ExpressionNode input, TemporalUnit unit, DataType type) {
        boolean local = type instanceof DataType.Timestamp stamp && stamp.zone() == null;
        boolean plain = unit == ChronoUnit.DAYS || !unit.isDateBased();
        if (local && plain) {
            return new TimeFunctions.Floored(input, unit.getDuration().toSeconds());
        }
        if (type instanceof DataType.Date && plain) {
            return input;
        }
        return new RowwiseNode(type, List.of(input), true, (values, row) -> switch (values[0]) {
            case LocalDate date -> first(date, unit);
            case LocalDateTime time -> first(time.toLocalDate(), unit).atStartOfDay();
            case ZonedDateTime time when plain -> time.truncatedTo(unit);
            case ZonedDateTime time -> first(time.toLocalDate(), unit).atStartOfDay(time.getZone());
            default -> throw MillraceException.internal("no date: " + values[0]);
        });
    }

    private static LocalDate first(LocalDate date, TemporalUnit unit) {
        if (unit == ChronoUnit.YEARS) {
            return date.withDayOfYear(1);
        }
        if (unit.equals(IsoFields.QUARTER_YEARS)) {
            return LocalDate.of(date.getYear(), (date.getMonthValue() - 1) / 3 * 3 + 1, 1);
        }
        if (unit == ChronoUnit.MONTHS) {
            return date.withDayOfMonth(1);
        }
        return unit == ChronoUnit.WEEKS ? date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)) : date;
    }

    private static Object plus(Call call, TemporalUnit unit, Object[] values, long row) {
        try {
            return ((Temporal) values[0]).plus((Long) values[1], unit);
        } catch (DateTimeException | ArithmeticException e) {
            throw MillraceException.data(call + ": " + values[0] + " plus " + values[1] + " " + unit
                    + " is out of range, in row " + row + " of the block.");
        }
    }

    private static LocalDate date(Object value) {
        return switch (value) {
            case LocalDate date -> date;
            case LocalDateTime time -> time.toLocalDate();
            case ZonedDateTime time -> time.toLocalDate();
            default -> throw MillraceException.internal("no date: " + value);
        };
    }

    private static Object parse(Call call, DateTimeFormatter formatter, String text, boolean whole, long row) {
        try {
            TemporalAccessor parsed = formatter.parse(text);
            LocalDate date = LocalDate.from(parsed);
            LocalTime time = parsed.query(TemporalQueries.localTime());
            return whole ? date.atTime(time == null ? LocalTime.MIDNIGHT : time) : date;
        } catch (DateTimeException e) {
            throw MillraceException.data(call + ": '" + text + "' does not follow the pattern '"
                    + CallArguments.constant(call, 1) + "', in row " + row + " of the block.");
        }
    }
}
