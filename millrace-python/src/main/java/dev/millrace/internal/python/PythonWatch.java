package dev.millrace.internal.python;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Looks at the workers of this process a few times in a second: at calls that take longer than they may.
final class PythonWatch {
    private static final long EVERY_MILLIS = 100;
    /// A cancelled call may go on for so long before its process is ended: loading a model again costs more.
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Set<PythonWorker> WORKERS = ConcurrentHashMap.newKeySet();
    private static final ScheduledExecutorService CLOCK = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("millrace-python-watch").factory());

    static {
        var _ = CLOCK.scheduleWithFixedDelay(PythonWatch::look, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private PythonWatch() {}

    static void add(PythonWorker worker) {
        WORKERS.add(worker);
    }

    private static void look() {
        long now = System.nanoTime();
        WORKERS.removeIf(worker -> !worker.watch(now, GRACE_NANOS));
    }
}
