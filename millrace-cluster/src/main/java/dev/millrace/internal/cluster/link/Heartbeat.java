package dev.millrace.internal.cluster.link;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// The clock of all links of this process: lets each show that this side lives, and ends those whose other side is
/// silent.
final class Heartbeat {
    /// Something that sends signs of life, or waits for some. Called on the clock's thread, which must not wait.
    interface Ticking {
        /// @param late whether this process was stopped meanwhile, so that silence means nothing
        void tick(long now, boolean late);
    }

    static final long PULSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final Set<Ticking> LINKS = ConcurrentHashMap.newKeySet();
    private static final ScheduledExecutorService CLOCK = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().name("millrace-heartbeat").daemon().unstarted(task));
    private static long ticked = System.nanoTime();

    static {
        var _ = CLOCK.scheduleWithFixedDelay(Heartbeat::tick, TICK_NANOS, TICK_NANOS, TimeUnit.NANOSECONDS);
    }

    private Heartbeat() {}

    static void add(Ticking link) {
        LINKS.add(link);
    }

    static void remove(Ticking link) {
        LINKS.remove(link);
    }

    static void after(long delay, TimeUnit unit, Runnable task) {
        var _ = CLOCK.schedule(task, delay, unit);
    }

    /// On the clock's thread. A process that was stopped itself has heard of nobody meanwhile: what arrived in the time
    /// is read before silence counts.
    private static void tick() {
        long now = System.nanoTime();
        boolean late = now - ticked > 4 * TICK_NANOS;
        ticked = now;
        LINKS.forEach(link -> link.tick(now, late));
    }
}
