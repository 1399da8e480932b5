package dev.millrace.internal.operator;

import dev.millrace.internal.stats.TimeIntegral;

/// Measures how the actors of one pool spend their time. Loop thread only.
final class PoolMeter {
    private final TimeIntegral busyTime = new TimeIntegral();
    private final TimeIntegral readyTime = new TimeIntegral();
    private int ready;
    private int most;
    /// The time from the first ready actor to the end of the last one, and the idle CPU time at both ends.
    private long readyAt;

    private long endedAt;
    private double idleBefore;
    private double idleAtEnd;

    /// An actor takes its CPUs, or (-1) gives them back.
    void busy(int change, long now) {
        busyTime.add(change, now);
    }

    /// An actor is ready.
    void ready(OperatorHost host) {
        long now = host.now();
        ready++;
        if (most == 0) {
            readyAt = now;
            idleBefore = host.idleCpuTime(now);
        }
        most = Math.max(most, ready);
        readyTime.add(1, now);
    }

    /// An actor that was ready ends.
    void ended(OperatorHost host) {
        ready--;
        readyTime.add(-1, host.now());
    }

    /// The last actor has ended; another may start later.
    void empty(OperatorHost host) {
        endedAt = host.now();
        idleAtEnd = host.idleCpuTime(endedAt);
    }

    /// Actors that are ready now.
    int ready() {
        return ready;
    }

    /// The largest number of actors that were ready at once.
    int most() {
        return most;
    }

    /// CPUs of the session that were unused while there were actors, on average; 0 before there were any.
    ///
    /// @param live whether there are actors now
    double idleCpus(OperatorHost host, boolean live, long now) {
        long until = live ? now : endedAt;
        double idle = live ? host.idleCpuTime(now) : idleAtEnd;
        return most == 0 || until <= readyAt ? 0 : (idle - idleBefore) / (until - readyAt);
    }

    /// The time in which actors held their CPUs, of all together.
    long busyNanos(long now) {
        return (long) busyTime.total(now);
    }

    /// The lifetimes of all actors together, from when they could work.
    long readyNanos(long now) {
        return (long) readyTime.total(now);
    }
}
