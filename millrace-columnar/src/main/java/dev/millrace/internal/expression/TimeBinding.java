package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.TimeFunction;
import dev.millrace.type.DataType;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
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
import org.jspecify.annotations.Nullable;

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
                    MILLISECOND,
                    MICROSECOND,
                    NANOSECOND,
                    EPOCH_SECONDS,
                    EPOCH_MILLIS,
                    EPOCH_MICROS -> new TimeFunctions.Part(function, input);
            case TRUNCATE -> align(input, TimeTypes.unit(call), TimeAlign.Direction.DOWN, result);
            case CEILING -> align(input, TimeTypes.unit(call), TimeAlign.Direction.UP, result);
            case NEAREST -> align(input, TimeTypes.unit(call), TimeAlign.Direction.NEAREST, result);
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
            case UNITS_BETWEEN -> {
                DataType.Timestamp common = TimeTypes.commonTime(
                        call, input.type(), arguments.get(2).type());
                yield new UnitsBetween(
                        common,
                        TimeTypes.unit(call),
                        CastNode.cast(input, common, true, call),
                        CastNode.cast(arguments.get(2), common, true, call));
            }
            case AT_ZONE -> new TimeZones.Instants((DataType.Timestamp) result, input);
            case IN_ZONE -> new CastNode.View(input, result);
            case WITHOUT_ZONE -> new TimeZones.Local(input);
            case PARSE_DATE, PARSE_TIMESTAMP, TRY_PARSE_DATE, TRY_PARSE_TIMESTAMP -> {
                DateTimeFormatter formatter = TimeTypes.formatter(call);
                boolean whole =
                        function == TimeFunction.PARSE_TIMESTAMP || function == TimeFunction.TRY_PARSE_TIMESTAMP;
                boolean checked = function == TimeFunction.PARSE_DATE || function == TimeFunction.PARSE_TIMESTAMP;
                yield new RowwiseNode(
                        result,
                        List.of(input),
                        true,
                        (values, row) -> parse(call, formatter, (String) values[0], whole, checked, row));
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

    private static ExpressionNode align(
            ExpressionNode input, TemporalUnit unit, TimeAlign.Direction direction, DataType type) {
        if (!(type instanceof DataType.Timestamp stamp) || stamp.zone() == null) {
            return new TimeAlign(input, unit, direction);
        }
        boolean plain = unit == ChronoUnit.DAYS || !unit.isDateBased();
        return new RowwiseNode(type, List.of(input), true, (values, row) -> {
            ZonedDateTime time = (ZonedDateTime) values[0];
            ZonedDateTime start = plain
                    ? time.truncatedTo(unit)
                    : first(time.toLocalDate(), unit).atStartOfDay(time.getZone());
            ZonedDateTime next = start.plus(1, unit);
            return switch (direction) {
                case DOWN -> start;
                case UP -> start.equals(time) ? time : next;
                case NEAREST ->
                    Duration.between(start, time).compareTo(Duration.between(time, next)) < 0 ? start : next;
            };
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

    private static @Nullable Object parse(
            Call call, DateTimeFormatter formatter, String text, boolean whole, boolean checked, long row) {
        try {
            TemporalAccessor parsed = formatter.parse(text);
            LocalDate date = LocalDate.from(parsed);
            LocalTime time = parsed.query(TemporalQueries.localTime());
            return whole ? date.atTime(time == null ? LocalTime.MIDNIGHT : time) : date;
        } catch (DateTimeException e) {
            if (!checked) {
                return null;
            }
            throw MillraceException.data(call + ": '" + text + "' does not follow the pattern '"
                    + CallArguments.constant(call, 1) + "', in row " + row + " of the block.");
        }
    }
}
