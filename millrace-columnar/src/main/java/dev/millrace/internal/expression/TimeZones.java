package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/// Conversions of timestamps between local times and instants.
final class TimeZones {
    /// No offset of a zone is larger.
    private static final long MAX_OFFSET = 18 * 3600;

    private TimeZones() {}

    /// The local time of instants, in the zone of their type.
    static final class Local extends ExpressionNode {
        private final ExpressionNode input;
        private final DataType.Timestamp from;

        Local(ExpressionNode input) {
            super(DataType.timestamp(((DataType.Timestamp) TypePromotion.plain(input.type())).unit()));
            this.input = input;
            this.from = (DataType.Timestamp) TypePromotion.plain(input.type());
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                MemorySegment in = ((FixedWidthColumn) held.column()).values();
                long perSecond = from.unit().perSecond();
                LocalClock clock = LocalClock.of(from);
                for (long i = 0; i < rows.count(); i++) {
                    long count = in.getAtIndex(JAVA_LONG, i);
                    long seconds = Math.floorDiv(count, perSecond);
                    output.values().setAtIndex(JAVA_LONG, i, count + (clock.local(seconds) - seconds) * perSecond);
                }
                return output.build(BitWords.valid(held.column()));
            }
        }
    }

    /// The instants of local times in the zone of the result's type.
    static final class Instants extends ExpressionNode {
        private final ExpressionNode input;
        private final DataType.Timestamp to;

        Instants(DataType.Timestamp type, ExpressionNode input) {
            super(type);
            this.input = input;
            this.to = type;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                MemorySegment in = ((FixedWidthColumn) held.column()).values();
                long perSecond = to.unit().perSecond();
                LocalClock clock = LocalClock.of(to);
                ZoneId zone = ZoneId.of(String.valueOf(to.zone()));
                for (long i = 0; i < rows.count(); i++) {
                    long count = in.getAtIndex(JAVA_LONG, i);
                    long local = Math.floorDiv(count, perSecond);
                    long offset = clock.isSteady(local - MAX_OFFSET, local + MAX_OFFSET)
                            ? clock.offset()
                            : offset(zone, clock, local);
                    output.values().setAtIndex(JAVA_LONG, i, count - offset * perSecond);
                }
                return output.build(BitWords.valid(held.column()));
            }
        }

        /// The offset of a local time, which the clock may have skipped or shown twice; turns the clock there.
        private static long offset(ZoneId zone, LocalClock clock, long local) {
            long day = Math.clamp(local, LocalClock.FIRST_SECOND, LocalClock.LAST_SECOND);
            LocalDateTime time = LocalDateTime.ofEpochSecond(day, 0, ZoneOffset.UTC);
            long instant = ZonedDateTime.of(time, zone).toEpochSecond();
            clock.local(instant);
            return day - instant;
        }
    }
}
