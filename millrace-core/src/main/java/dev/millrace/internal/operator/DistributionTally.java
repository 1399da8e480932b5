package dev.millrace.internal.operator;

import dev.millrace.stats.Distribution;

/// Accumulates a [Distribution].
final class DistributionTally {
    private long count;
    private long min;
    private long max;
    private long total;

    void add(long amount) {
        min = count == 0 ? amount : Math.min(min, amount);
        max = count == 0 ? amount : Math.max(max, amount);
        count++;
        total += amount;
    }

    long count() {
        return count;
    }

    long total() {
        return total;
    }

    Distribution snapshot() {
        return count == 0 ? Distribution.NONE : new Distribution(count, min, max, total);
    }
}
