package dev.millrace.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// Work in threads of its own, for a test. What is thrown in one of them is thrown where its result is asked for.
public final class AtOnce implements AutoCloseable {
    /// Far longer than anything takes on a machine with much else to do.
    private static final long PATIENCE_SECONDS = 60;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    public <T> Future<T> start(Callable<T> work) {
        return threads.submit(work);
    }

    /// The result, or what was thrown instead.
    public static <T> T result(Future<T> work) throws Exception {
        try {
            return work.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Exception exception -> throw exception;
                case Error error -> throw error;
                default -> throw e;
            }
        }
    }

    /// Results of all, in their order.
    public static <T> List<T> all(List<? extends Callable<T>> works) throws Exception {
        try (AtOnce atOnce = new AtOnce()) {
            List<Future<T>> started = new ArrayList<>();
            works.forEach(work -> started.add(atOnce.start(work)));
            List<T> results = new ArrayList<>();
            for (Future<T> each : started) {
                results.add(result(each));
            }
            return results;
        }
    }

    /// Interrupts what still runs.
    @Override
    public void close() {
        threads.shutdownNow();
        threads.close();
    }
}
