package dev.millrace.internal.text;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/// How far the clocks of a zone are ahead of UTC. Immutable.
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

    /// @param zone as types name it; null gives null
    public static @Nullable ZoneClock of(String zone) {
        return zone == null ? null : new ZoneClock(ZoneId.of(zone).getRules());
    }

    /// Seconds ahead of UTC when the clocks show a time, told in seconds since they would have shown 1970. Of two such
    /// moments the earlier one counts; a time that the clocks leap over is taken for one as much later, as in
    /// java.time.
    long offset(long shown) {
        if (isFixed) {
            return fixed;
        }
        LocalDateTime local = LocalDateTime.ofEpochSecond(shown, 0, ZoneOffset.UTC);
        return rules.getOffset(local).getTotalSeconds();
    }
}
