package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.expression.TimeFunction;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Parts of dates and times, computed from the stored counts without an object per value.
final class TimeFunctions {
    private static final long SECONDS_PER_DAY = CalendarDays.SECONDS_PER_DAY;

    private TimeFunctions() {}

    /// Year to second as int32, or the seconds or milliseconds since the epoch as int64.
    static final class Part extends ExpressionNode {
        private final TimeFunction function;
        private final ExpressionNode input;
        private final DataType from;

        Part(TimeFunction function, ExpressionNode input) {
            super(isEpoch(function) ? DataType.INT64 : DataType.INT32);
            this.function = function;
            this.input = input;
            this.from = TypePromotion.plain(input.type());
        }

        private static boolean isEpoch(TimeFunction function) {
            return function == TimeFunction.EPOCH_SECONDS
                    || function == TimeFunction.EPOCH_MILLIS
                    || function == TimeFunction.EPOCH_MICROS;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                MemorySegment in = ((FixedWidthColumn) held.column()).values();
                if (isEpoch(function)) {
                    epoch(in, output.values(), rows.count());
                } else {
                    parts(in, output.values(), rows.count());
                }
                return output.build(BitWords.valid(held.column()));
            }
        }

        private void epoch(MemorySegment in, MemorySegment out, long rows) {
            long wanted = function == TimeFunction.EPOCH_MICROS
                    ? 1_000_000
                    : function == TimeFunction.EPOCH_MILLIS ? 1000 : 1;
            if (from instanceof DataType.Date) {
                for (long i = 0; i < rows; i++) {
                    out.setAtIndex(JAVA_LONG, i, in.getAtIndex(JAVA_INT, i) * SECONDS_PER_DAY * wanted);
                }
                return;
            }
            long perSecond =
                    requireNonNull(CastNode.unit(from), "a time has a unit").perSecond();
            for (long i = 0; i < rows; i++) {
                long count = in.getAtIndex(JAVA_LONG, i);
                out.setAtIndex(
                        JAVA_LONG,
                        i,
                        perSecond < wanted ? count * (wanted / perSecond) : Math.floorDiv(count, perSecond / wanted));
            }
        }

        private void parts(MemorySegment in, MemorySegment out, long rows) {
            boolean narrow = FixedOutput.width(from) == 4;
            if (from instanceof DataType.Date) {
                for (long i = 0; i < rows; i++) {
                    out.setAtIndex(JAVA_INT, i, ofDay(in.getAtIndex(JAVA_INT, i)));
                }
                return;
            }
            long perSecond =
                    requireNonNull(CastNode.unit(from), "a time has a unit").perSecond();
            long fraction = fractions();
            if (fraction > 0) {
                for (long i = 0; i < rows; i++) {
                    long count = narrow ? in.getAtIndex(JAVA_INT, i) : in.getAtIndex(JAVA_LONG, i);
                    long rest = Math.floorMod(count, perSecond);
                    long part = perSecond <= fraction ? rest * (fraction / perSecond) : rest / (perSecond / fraction);
                    out.setAtIndex(JAVA_INT, i, (int) part);
                }
                return;
            }
            LocalClock clock = LocalClock.of(from);
            for (long i = 0; i < rows; i++) {
                long count = narrow ? in.getAtIndex(JAVA_INT, i) : in.getAtIndex(JAVA_LONG, i);
                long seconds = clock.local(Math.floorDiv(count, perSecond));
                long day = Math.floorDiv(seconds, SECONDS_PER_DAY);
                int ofDay = (int) (seconds - day * SECONDS_PER_DAY);
                out.setAtIndex(
                        JAVA_INT,
                        i,
                        switch (function) {
                            case HOUR -> ofDay / 3600;
                            case MINUTE -> ofDay / 60 % 60;
                            case SECOND -> ofDay % 60;
                            default -> ofDay(day);
                        });
            }
        }

        /// How many parts of a second are counted, or 0 if it is no part of a second.
        private long fractions() {
            return switch (function) {
                case MILLISECOND -> 1_000;
                case MICROSECOND -> 1_000_000;
                case NANOSECOND -> 1_000_000_000;
                // Parts of a minute or longer.
                default -> 0;
            };
        }

        private int ofDay(long day) {
            return switch (function) {
                case YEAR -> CalendarDays.year(day);
                case QUARTER -> (CalendarDays.month(day) + 2) / 3;
                case MONTH -> CalendarDays.month(day);
                case DAY -> CalendarDays.dayOfMonth(day);
                case DAY_OF_WEEK -> CalendarDays.dayOfWeek(day);
                case DAY_OF_YEAR -> (int) (day - CalendarDays.firstDayOfYear(CalendarDays.year(day))) + 1;
                case WEEK -> CalendarDays.week(day);
                case HOUR,
                        MINUTE,
                        SECOND,
                        MILLISECOND,
                        MICROSECOND,
                        NANOSECOND,
                        EPOCH_SECONDS,
                        EPOCH_MILLIS,
                        EPOCH_MICROS,
                        TRUNCATE,
                        CEILING,
                        NEAREST,
                        PLUS,
                        DAYS_BETWEEN,
                        UNITS_BETWEEN,
                        AT_ZONE,
                        IN_ZONE,
                        WITHOUT_ZONE,
                        PARSE_DATE,
                        PARSE_TIMESTAMP,
                        TRY_PARSE_DATE,
                        TRY_PARSE_TIMESTAMP,
                        FORMAT -> throw new IllegalArgumentException(function + " is no part of a date");
            };
        }
    }
}
