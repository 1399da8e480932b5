package dev.millrace.stats;

/// Count, smallest, largest and sum of some measured amounts (nanoseconds, rows or bytes).
public record Distribution(long count, long min, long max, long total) {
    public static final Distribution NONE = new Distribution(0, 0, 0, 0);

    /// The distribution with one more amount.
    public Distribution plus(long amount) {
        return count == 0
                ? new Distribution(1, amount, amount, amount)
                : new Distribution(count + 1, Math.min(min, amount), Math.max(max, amount), total + amount);
    }

    /// The sum divided by the count; 0 if there are none.
    public double mean() {
        return count == 0 ? 0 : (double) total / count;
    }
}
