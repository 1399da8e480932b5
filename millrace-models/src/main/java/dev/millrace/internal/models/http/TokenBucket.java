package dev.millrace.internal.models.http;

/// A part of a token bucket with a constant rate, whose capacity is one second's amount (at least one): all parts
/// together are one bucket. Amounts may be taken in advance; the caller then waits until they are refilled. The time is
/// passed in by the caller. One thread.
final class TokenBucket {
    private static final double MINUTE_NANOS = 60e9;

    private final double perMinute;
    private double perNano;
    private double most;
    /// All that was granted so far. What was taken may be more: by callers that still wait.
    private double granted;

    private double taken;
    private long last;

    /// @param shares the number of equal parts
    /// @param now nanoseconds of any monotonic clock
    TokenBucket(double perMinute, int shares, long now) {
        this.perMinute = perMinute;
        this.last = now;
        divide(shares);
        // A part begins empty: what the others have may be all that there is.
        this.granted = shares == 1 ? most : 0;
    }

    private void divide(int shares) {
        perNano = perMinute / MINUTE_NANOS / shares;
        most = Math.max(1, perMinute / 60) / shares;
    }

    /// From now on it is one of so many parts. Callers that wait are refilled at the new rate.
    void share(int shares, long now) {
        refill(now);
        divide(shares);
        granted = Math.min(granted, taken + most);
    }

    /// Takes an amount; callers are served in the order of their calls.
    ///
    /// @return for [#left]
    double take(double amount, long now) {
        refill(now);
        taken += amount;
        return taken;
    }

    /// The nanoseconds to wait before it may be used.
    ///
    /// @param ticket the result of [#take]
    long left(double ticket, long now) {
        refill(now);
        return granted >= ticket ? 0 : (long) Math.ceil((ticket - granted) / perNano);
    }

    /// Returns the unused part of an amount after the fact, or takes the excess (below zero).
    void giveBack(double amount, long now) {
        refill(now);
        granted = Math.min(taken + most, granted + amount);
    }

    private void refill(long now) {
        granted = Math.min(taken + most, granted + Math.max(0, now - last) * perNano);
        last = Math.max(last, now);
    }
}
