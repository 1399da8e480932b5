package dev.millrace.internal.expression;

import dev.millrace.type.DataType;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/// Converts seconds of an instant to seconds of the local time in a zone. Caches the interval between the two offset
/// transitions around the last instant, because adjacent rows are rarely half a year apart.
final class LocalClock {
    static final long FIRST_SECOND = Instant.MIN.getEpochSecond();
    static final long LAST_SECOND = Instant.MAX.getEpochSecond();

    private final @Nullable ZoneRules rules;
    private long from = Long.MAX_VALUE;
    private long until = Long.MIN_VALUE;
    private int offset;

    private LocalClock(@Nullable ZoneRules rules) {
        this.rules = rules;
    }

    /// The clock of a timestamp's zone; the times of all other types are already local.
    static LocalClock of(DataType type) {
        String zone = type instanceof DataType.Timestamp stamp ? stamp.zone() : null;
        return new LocalClock(zone == null ? null : ZoneId.of(zone).getRules());
    }

    long local(long seconds) {
        if (rules == null) {
            return seconds;
        }
        if (seconds < from || seconds >= until) {
            look(rules, seconds);
        }
        return seconds + offset;
    }

    /// The offset of an instant, in seconds.
    long offsetAt(long seconds) {
        return local(seconds) - seconds;
    }

    /// The offset of the last instant.
    long offset() {
        return offset;
    }

    /// Whether the offset of the last instant holds for all instants from `first` to `last`.
    boolean isSteady(long first, long last) {
        return rules == null || first >= from && last < until;
    }

    private void look(ZoneRules in, long seconds) {
        long bounded = Math.clamp(seconds, FIRST_SECOND, LAST_SECOND);
        Instant instant = Instant.ofEpochSecond(bounded);
        offset = in.getOffset(instant).getTotalSeconds();
        ZoneOffsetTransition next = in.nextTransition(instant);
        until = next == null ? Long.MAX_VALUE : next.toEpochSecond();
        from = bounded;
    }
}
