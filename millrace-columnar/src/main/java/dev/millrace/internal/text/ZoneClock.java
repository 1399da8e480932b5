package dev.millrace.internal.text;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/// The offset of a zone from UTC. Immutable.
public final class ZoneClock {
    public static final ZoneClock UTC = new ZoneClock(ZoneOffset.UTC.getRules());

    private final ZoneRules rules;
    private final boolean isFixed;
    private final long fixed;

    private ZoneClock(ZoneRules rules) {
        this.rules = rules;
        this.isFixed = rules.isFixedOffset();
        this.fixed = rules.getOffset(Instant.EPOCH).getTotalSeconds();
    }

    /// @param zone the name in types; null gives null
    public static @Nullable ZoneClock of(@Nullable String zone) {
        return zone == null ? null : new ZoneClock(ZoneId.of(zone).getRules());
    }

    /// The offset in seconds ahead of UTC for a local time, given in seconds since 1970-01-01T00:00 local time. For an
    /// ambiguous local time the earlier instant is used; a local time in a gap is moved later by the length of the gap,
    /// as in java.time.
    long offset(long shown) {
        if (isFixed) {
            return fixed;
        }
        LocalDateTime local = LocalDateTime.ofEpochSecond(shown, 0, ZoneOffset.UTC);
        return rules.getOffset(local).getTotalSeconds();
    }
}
