package dev.millrace.internal.models.http;

/// So much per minute, evenly: never more at once than a second's share (or one), and what was taken beyond what is
/// there is waited for before. Knows no clock: the time is given. One thread.
final class TokenBucket {
    private static final double MINUTE_NANOS = 60e9;

    private final double perNano;
    private final double most;
    /// Below zero: taken by those that still wait.
    private double there;

    private long last;

    /// @param now nanoseconds of any clock that only goes on
    TokenBucket(double perMinute, long now) {
        this.perNano = perMinute / MINUTE_NANOS;
        this.most = Math.max(1, perMinute / 60);
        this.there = most;
        this.last = now;
    }

    /// Takes an amount, in the order of the calls.
    ///
    /// @return nanoseconds after which it may be used
    long take(double amount, long now) {
        refill(now);
        there -= amount;
        return there >= 0 ? 0 : (long) Math.ceil(-there / perNano);
    }

    /// Gives back what was taken and not used, or takes what was used beyond (below zero), after the fact.
    void giveBack(double amount, long now) {
        refill(now);
        there = Math.min(most, there + amount);
    }

    private void refill(long now) {
        there = Math.min(most, there + Math.max(0, now - last) * perNano);
        last = Math.max(last, now);
    }
}
