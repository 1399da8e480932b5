package dev.millrace.internal.stats;

/// The integral of a changing amount over time. One thread.
public final class TimeIntegral {
    private double amount;
    private double total;
    private long since;

    /// The amount changes by this much now. Time must not go backwards.
    public void add(double change, long now) {
        total += amount * (now - since);
        since = now;
        amount += change;
    }

    public double total(long now) {
        return total + amount * Math.max(0, now - since);
    }
}
