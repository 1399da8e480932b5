package dev.millrace.internal.operator;

import java.time.Duration;

/// How long to wait before something is tried again: a quarter of a second, then twice as long each time up to a limit;
/// between half and all of it by chance, so that many who failed together do not come back together.
final class RetryBackoff {
    private static final long FIRST = Duration.ofMillis(250).toNanos();

    private RetryBackoff() {}

    /// @param failures so far, from 1
    /// @param chance from 0 to 1
    static long nanos(int failures, Duration most, double chance) {
        int doublings = Math.min(failures - 1, 30);
        long full = Math.min(most.toNanos(), FIRST << doublings);
        return (long) (full * (0.5 + chance / 2));
    }
}
