package dev.millrace.internal.models.http;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Runs tasks on threads of their own, with limited concurrency. However it ends, also after a failure or an interrupt
/// of this thread, no task is still running when it returns.
final class ParallelRequests {
    interface Work {
        void run() throws Exception;
    }

    private record Ended(int index, @Nullable Throwable failure) {}

    private ParallelRequests() {}

    /// Returns when all are done.
    ///
    /// @param works called on this thread, in order; null: no task for this index
    /// @throws Exception the first failure; the other tasks are interrupted
    static void run(String name, int count, int atOnce, IntFunction<Work> works) throws Exception {
        Map<Integer, Thread> running = new HashMap<>();
        BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
        try {
            int next = 0;
            while (next < count || !running.isEmpty()) {
                if (next < count && running.size() < atOnce) {
                    Work work = works.apply(next);
                    if (work != null) {
                        running.put(next, start(name, next, work, ended));
                    }
                    next++;
                    continue;
                }
                Ended one = ended.take();
                running.remove(one.index);
                switch (one.failure) {
                    case null -> {}
                    case Error error -> throw error;
                    case Exception failure -> throw failure;
                    default -> throw new IllegalStateException(one.failure);
                }
            }
        } finally {
            stop(running);
        }
    }

    private static Thread start(String name, int index, Work work, BlockingQueue<Ended> ended) {
        return Thread.ofVirtual().name(name).start(() -> {
            Throwable failure = null;
            try {
                work.run();
            } catch (Throwable e) {
                failure = e;
            }
            ended.add(new Ended(index, failure));
        });
    }

    private static void stop(Map<Integer, Thread> running) {
        running.values().forEach(Thread::interrupt);
        boolean interrupted = false;
        for (Thread thread : running.values()) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
