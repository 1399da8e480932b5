package dev.millrace.internal.stats;

/// An amount that changes, times how long it was what it was. One thread.
public final class TimeIntegral {
    private double amount;
    private double total;
    private long since;

    /// The amount changes by this much now. Time does not run backwards.
    public void add(double change, long now) {
        total += amount * (now - since);
        since = now;
        amount += change;
    }

    public double total(long now) {
        return total + amount * Math.max(0, now - since);
    }
}
