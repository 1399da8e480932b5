package dev.millrace.internal.kernel;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Copies large runs in parts by several threads, of which the caller's is one. For those who make batches beside the
/// tasks of a run: a task is alone on its CPU and copies by itself ([RunCopy#PLAIN]).
public final class ParallelCopy implements RunCopy {
    private static final long PART_BYTES = 2 << 20;
    private static final int MAX_THREADS = 8;

    private static final class Shared {
        static final RunCopy COPY =
                of(Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()));

        private static RunCopy of(int threads) {
            if (threads < 2) {
                return PLAIN;
            }
            ThreadPoolExecutor helpers = new ThreadPoolExecutor(
                    threads - 1,
                    threads - 1,
                    10,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    Thread.ofPlatform().daemon().name("millrace-copy-", 0).factory());
            helpers.allowCoreThreadTimeOut(true);
            return new ParallelCopy(helpers, threads - 1, PART_BYTES);
        }
    }

    private final Executor helpers;
    private final int mostHelpers;
    private final long partBytes;

    ParallelCopy(Executor helpers, int mostHelpers, long partBytes) {
        this.helpers = helpers;
        this.mostHelpers = mostHelpers;
        this.partBytes = partBytes;
    }

    /// With the threads of this process.
    public static RunCopy shared() {
        return Shared.COPY;
    }

    @Override
    public void copy(MemorySegment source, long from, MemorySegment target, long at, long bytes) {
        if (bytes < 2 * partBytes) {
            MemorySegment.copy(source, from, target, at, bytes);
            return;
        }
        Run run = new Run(source, from, target, at, bytes, partBytes);
        try {
            for (long i = 0; i < Math.min(mostHelpers, run.parts - 1); i++) {
                helpers.execute(run);
            }
        } catch (RejectedExecutionException _) {
            // The caller copies what nobody else does.
        }
        run.run();
        run.await();
    }

    /// One run. A thread touches the memory only between taking a part and counting it down, and the caller returns
    /// when all parts are counted: a helper that comes later finds none.
    private static final class Run implements Runnable {
        private final MemorySegment source;
        private final long from;
        private final MemorySegment target;
        private final long at;
        private final long bytes;
        private final long partBytes;
        private final int parts;
        private final AtomicLong next = new AtomicLong();
        private final CountDownLatch missing;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Run(MemorySegment source, long from, MemorySegment target, long at, long bytes, long partBytes) {
            this.source = source;
            this.from = from;
            this.target = target;
            this.at = at;
            this.bytes = bytes;
            this.partBytes = partBytes;
            this.parts = Math.toIntExact(Math.ceilDiv(bytes, partBytes));
            this.missing = new CountDownLatch(parts);
        }

        @Override
        public void run() {
            for (long part = next.getAndIncrement(); part < parts; part = next.getAndIncrement()) {
                try {
                    long begin = part * partBytes;
                    MemorySegment.copy(source, from + begin, target, at + begin, Math.min(partBytes, bytes - begin));
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                } finally {
                    missing.countDown();
                }
            }
        }

        void await() {
            boolean interrupted = false;
            while (true) {
                try {
                    missing.await();
                    break;
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            switch (failure.get()) {
                case null -> {}
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new IllegalStateException(e);
            }
        }
    }
}
