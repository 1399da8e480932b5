package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalUnit;

/// The number of whole units from one timestamp to another of the same type. Units from a day on are counted in local
/// time, shorter ones between instants.
final class UnitsBetween extends ExpressionNode {
    private final ExpressionNode from;
    private final ExpressionNode to;
    private final TemporalUnit unit;
    private final DataType.Timestamp type;

    UnitsBetween(DataType.Timestamp type, TemporalUnit unit, ExpressionNode from, ExpressionNode to) {
        super(DataType.INT64);
        this.type = type;
        this.unit = unit;
        this.from = from;
        this.to = to;
    }

    @Override
    Column column(EvaluationRows rows) {
        try (HeldColumn first = from.values(rows);
                HeldColumn second = to.values(rows);
                FixedOutput output = new FixedOutput(type(), rows)) {
            MemorySegment a = ((FixedWidthColumn) first.column()).values();
            MemorySegment b = ((FixedWidthColumn) second.column()).values();
            long perSecond = type.unit().perSecond();
            boolean local = unit.isDateBased() && type.zone() != null;
            LocalClock firstClock = LocalClock.of(type);
            LocalClock secondClock = LocalClock.of(type);
            for (long i = 0; i < rows.count(); i++) {
                long start = a.getAtIndex(JAVA_LONG, i);
                long end = b.getAtIndex(JAVA_LONG, i);
                if (local) {
                    start += firstClock.offsetAt(Math.floorDiv(start, perSecond)) * perSecond;
                    end += secondClock.offsetAt(Math.floorDiv(end, perSecond)) * perSecond;
                }
                output.values().setAtIndex(JAVA_LONG, i, units(start, end, perSecond));
            }
            return output.build(BitWords.both(BitWords.valid(first.column()), BitWords.valid(second.column())));
        }
    }

    private long units(long start, long end, long perSecond) {
        int months = unit == ChronoUnit.MONTHS
                ? 1
                : unit.equals(IsoFields.QUARTER_YEARS) ? 3 : unit == ChronoUnit.YEARS ? 12 : 0;
        if (months == 0) {
            return (end - start) / (unit.getDuration().toSeconds() * perSecond);
        }
        long perDay = CalendarDays.SECONDS_PER_DAY * perSecond;
        long whole = month(Math.floorDiv(end, perDay)) - month(Math.floorDiv(start, perDay));
        long before = ofMonth(start, perDay);
        long after = ofMonth(end, perDay);
        if (whole > 0 && after < before) {
            whole--;
        } else if (whole < 0 && after > before) {
            whole++;
        }
        return whole / months;
    }

    private static long month(long day) {
        return 12L * CalendarDays.year(day) + CalendarDays.month(day);
    }

    /// The time since the beginning of the month.
    private static long ofMonth(long time, long perDay) {
        long day = Math.floorDiv(time, perDay);
        return time - (day - CalendarDays.dayOfMonth(day)) * perDay;
    }
}
