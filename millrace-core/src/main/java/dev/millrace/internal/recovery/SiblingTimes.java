package dev.millrace.internal.recovery;

import java.util.Arrays;

/// How long the latest tasks of an operator took, and how many bytes of input they had. Guarded by its
/// [StragglerWatch].
final class SiblingTimes {
    private static final int LATEST = 64;

    private final long[] nanos = new long[LATEST];
    private final long[] bytes = new long[LATEST];
    private long count;

    /// A task has finished.
    ///
    /// @param inputBytes 0 if it had no input, as reads
    void add(long taskNanos, long inputBytes) {
        int at = (int) (count++ % LATEST);
        nanos[at] = taskNanos;
        bytes[at] = inputBytes;
    }

    /// Beyond this time a task is a straggler; [Long#MAX_VALUE] while too few have finished. A task with more input
    /// than usual may take longer in proportion: it is large, and its node is not slow. One with less input may take as
    /// long as the others, since tasks have costs that do not depend on their input.
    long limitNanos(StragglerWatch.Rule rule, long inputBytes) {
        if (count < rule.minSiblings()) {
            return Long.MAX_VALUE;
        }
        long usual = median(bytes);
        double size = usual == 0 ? 1 : Math.max(1, (double) inputBytes / usual);
        return Math.max(rule.minNanos(), (long) (rule.factor() * median(nanos) * size));
    }

    private long median(long[] values) {
        long[] sorted = Arrays.copyOf(values, (int) Math.min(count, LATEST));
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
