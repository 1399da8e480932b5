package dev.millrace.internal.models.http;

/// A token bucket with a constant rate: its capacity is one second's share (at least one). Amounts may be taken in
/// advance; the caller then waits until they are refilled. The time is passed in by the caller. One thread.
final class TokenBucket {
    private static final double MINUTE_NANOS = 60e9;

    private final double perNano;
    private final double most;
    /// The available amount. Below zero: taken by callers that still wait.
    private double there;

    private long last;

    /// @param now nanoseconds of any monotonic clock
    TokenBucket(double perMinute, long now) {
        this.perNano = perMinute / MINUTE_NANOS;
        this.most = Math.max(1, perMinute / 60);
        this.there = most;
        this.last = now;
    }

    /// Takes an amount; callers are served in the order of their calls.
    ///
    /// @return the nanoseconds to wait before it may be used
    long take(double amount, long now) {
        refill(now);
        there -= amount;
        return there >= 0 ? 0 : (long) Math.ceil(-there / perNano);
    }

    /// Returns the unused part of an amount after the fact, or takes the excess (below zero).
    void giveBack(double amount, long now) {
        refill(now);
        there = Math.min(most, there + amount);
    }

    private void refill(long now) {
        there = Math.min(most, there + Math.max(0, now - last) * perNano);
        last = Math.max(last, now);
    }
}
