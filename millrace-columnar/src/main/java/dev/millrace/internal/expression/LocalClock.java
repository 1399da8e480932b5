package dev.millrace.internal.expression;

import dev.millrace.type.DataType;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/// Converts seconds of an instant to seconds of the local time in a zone. Caches the interval between the two offset
/// transitions around the last instant, because adjacent rows are rarely half a year apart.
final class LocalClock {
    private final ZoneRules rules;
    private long from = Long.MAX_VALUE;
    private long until = Long.MIN_VALUE;
    private int offset;

    private LocalClock(ZoneRules rules) {
        this.rules = rules;
    }

    /// The clock of a timestamp's zone; the times of all other types are already local.
    static LocalClock of(DataType type) {
        boolean zoned = type instanceof DataType.Timestamp stamp && stamp.zone() != null;
        return new LocalClock(
                zoned ? ZoneId.of(((DataType.Timestamp) type).zone()).getRules() : null);
    }

    long local(long seconds) {
        if (rules == null) {
            return seconds;
        }
        if (seconds < from || seconds >= until) {
            look(seconds);
        }
        return seconds + offset;
    }

    private void look(long seconds) {
        long bounded = Math.clamp(seconds, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond());
        Instant instant = Instant.ofEpochSecond(bounded);
        offset = rules.getOffset(instant).getTotalSeconds();
        ZoneOffsetTransition next = rules.nextTransition(instant);
        until = next == null ? Long.MAX_VALUE : next.toEpochSecond();
        from = bounded;
    }
}
