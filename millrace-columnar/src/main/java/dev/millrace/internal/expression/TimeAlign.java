package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalUnit;

/// Moves dates, and timestamps without a zone, to the start of a unit: the one they are in, the next one, or the
/// nearer.
final class TimeAlign extends ExpressionNode {
    /// Where a value between two starts of a unit goes.
    enum Direction {
        DOWN,
        UP,
        NEAREST;

        /// @param start of the unit that the value is in
        /// @param next the start of the next one
        long choose(long value, long start, long next) {
            return switch (this) {
                case DOWN -> start;
                case UP -> value == start ? value : next;
                case NEAREST -> value - start < next - value ? start : next;
            };
        }
    }

    private final ExpressionNode input;
    private final TemporalUnit unit;
    private final Direction direction;

    TimeAlign(ExpressionNode input, TemporalUnit unit, Direction direction) {
        super(TypePromotion.plain(input.type()));
        this.input = input;
        this.unit = unit;
        this.direction = direction;
    }

    @Override
    Column column(EvaluationRows rows) {
        try (HeldColumn held = input.values(rows);
                FixedOutput output = new FixedOutput(type(), rows)) {
            MemorySegment in = ((FixedWidthColumn) held.column()).values();
            if (type() instanceof DataType.Date) {
                for (long i = 0; i < rows.count(); i++) {
                    long day = in.getAtIndex(JAVA_INT, i);
                    long first = firstDay(day);
                    output.values().setAtIndex(JAVA_INT, i, (int) direction.choose(day, first, nextDay(first)));
                }
            } else {
                stamps(in, output.values(), rows.count());
            }
            return output.build(BitWords.valid(held.column()));
        }
    }

    private void stamps(MemorySegment in, MemorySegment out, long rows) {
        long perSecond =
                requireNonNull(CastNode.unit(type()), "a time has a unit").perSecond();
        if (unit == ChronoUnit.DAYS || !unit.isDateBased()) {
            long step = Math.multiplyExact(unit.getDuration().toSeconds(), perSecond);
            for (long i = 0; i < rows; i++) {
                long count = in.getAtIndex(JAVA_LONG, i);
                long start = count - Math.floorMod(count, step);
                out.setAtIndex(JAVA_LONG, i, direction.choose(count, start, start + step));
            }
            return;
        }
        long perDay = CalendarDays.SECONDS_PER_DAY * perSecond;
        for (long i = 0; i < rows; i++) {
            long count = in.getAtIndex(JAVA_LONG, i);
            long first = firstDay(Math.floorDiv(count, perDay));
            out.setAtIndex(JAVA_LONG, i, direction.choose(count, first * perDay, nextDay(first) * perDay));
        }
    }

    /// The first day of the unit that a day is in.
    private long firstDay(long day) {
        if (unit == ChronoUnit.YEARS) {
            return CalendarDays.firstDayOfYear(CalendarDays.year(day));
        }
        if (unit == ChronoUnit.MONTHS) {
            return day - CalendarDays.dayOfMonth(day) + 1;
        }
        if (unit.equals(IsoFields.QUARTER_YEARS)) {
            return CalendarDays.firstDayOfMonth(CalendarDays.year(day), (CalendarDays.month(day) - 1) / 3 * 3 + 1);
        }
        return unit == ChronoUnit.WEEKS ? day - CalendarDays.dayOfWeek(day) + 1 : day;
    }

    /// The first day of the unit after the one that begins on `first`.
    private long nextDay(long first) {
        if (unit == ChronoUnit.WEEKS) {
            return first + 7;
        }
        if (!unit.isDateBased() || unit == ChronoUnit.DAYS) {
            return first + 1;
        }
        int year = CalendarDays.year(first);
        if (unit == ChronoUnit.YEARS) {
            return CalendarDays.firstDayOfYear(year + 1);
        }
        int month = CalendarDays.month(first) + (unit == ChronoUnit.MONTHS ? 1 : 3);
        return month > 12
                ? CalendarDays.firstDayOfMonth(year + 1, month - 12)
                : CalendarDays.firstDayOfMonth(year, month);
    }
}
