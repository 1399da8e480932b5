package dev.millrace.internal.recovery;

import java.util.function.LongSupplier;

/// How long an attempt has computed: from its beginning, without the time in which it was paused or waited at its node
/// behind another. Guarded by the monitor of its task.
final class AttemptClock {
    private final LongSupplier nanos;
    /// Whether it waits at its node behind another.
    private boolean isQueued;

    private boolean isPaused;
    /// When it began, as far as is known, and began the pause it is in; and how long the pauses before that took.
    private long beganAt;

    private long pausedAt;
    private long pausedNanos;

    /// @param queued whether it waits behind another at first
    /// @param nanos the time
    AttemptClock(boolean queued, LongSupplier nanos) {
        this.isQueued = queued;
        this.nanos = nanos;
    }

    /// The runtime has it.
    void submitted() {
        beganAt = nanos.getAsLong();
    }

    /// The attempt in front of it has ended, or it was told to begin.
    void leftQueue() {
        if (isQueued) {
            isQueued = false;
            beganAt = nanos.getAsLong();
        }
    }

    void paused() {
        isPaused = true;
        pausedAt = nanos.getAsLong();
    }

    void resumed() {
        pausedNanos += isPaused ? nanos.getAsLong() - pausedAt : 0;
        isPaused = false;
    }

    boolean isPaused() {
        return isPaused;
    }

    /// Whether it computes now, as far as is known, once it was submitted.
    boolean isRunning() {
        return !isPaused && !isQueued;
    }

    long computedNanos() {
        if (beganAt == 0 || isQueued) {
            return 0;
        }
        long now = nanos.getAsLong();
        return now - beganAt - pausedNanos - (isPaused ? now - pausedAt : 0);
    }
}
