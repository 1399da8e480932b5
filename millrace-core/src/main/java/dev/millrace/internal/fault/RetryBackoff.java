package dev.millrace.internal.fault;

import java.time.Duration;

/// Exponential backoff with jitter: a quarter of a second, then twice as long each time up to a limit; a random part
/// between half and all of it, so that many tasks that failed together are not retried together.
public final class RetryBackoff {
    private static final long FIRST = Duration.ofMillis(250).toNanos();

    private RetryBackoff() {}

    /// @param failures so far, from 1
    /// @param chance a random number from 0 to 1
    public static long nanos(int failures, Duration most, double chance) {
        int doublings = Math.min(failures - 1, 30);
        long full = Math.min(most.toNanos(), FIRST << doublings);
        return (long) (full * (0.5 + chance / 2));
    }
}
