package dev.millrace.internal.runtime.embedded;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.ThreadPlace;
import dev.millrace.internal.thread.DeepStack;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Daemon threads that start work at once: a parked thread takes it, or a new one is created. There is no queue, since
/// the engine bounds how much runs at a time.
///
/// The thread that became idle last is used first, so its caches are warm and the others time out and end. Work goes
/// directly into the slot of one thread, and only that one is woken; a thread that has not parked yet needs no wake-up.
/// Measured on 2 cores, from submit to event with 4 tasks in flight: 7 microseconds per empty task. Letting an idle
/// thread spin on its slot before it parks (3 to 50 microseconds) took more CPU and gained nothing under load.
///
/// Thread-safe. Lock order: the pool's lock is innermost; no foreign code is called with it held.
final class WorkerPool implements AutoCloseable {
    private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final ClassLoader contextClassLoader = Thread.currentThread().getContextClassLoader();
    /// All fields below are guarded by this pool's monitor.
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();

    private final Set<Worker> threads = new HashSet<>();
    private int named;
    private boolean closed;

    /// Runs the work on a thread of its own, at once.
    void execute(Runnable work) {
        Worker worker;
        boolean fresh = false;
        synchronized (this) {
            if (closed) {
                throw MillraceException.internal("work was handed to a runtime that is closed");
            }
            worker = idle.pollLast();
            if (worker == null) {
                fresh = true;
                worker = new Worker("millrace-worker-" + ++named);
                threads.add(worker);
            }
        }
        worker.slot = work;
        if (fresh) {
            startThread(worker);
        } else {
            LockSupport.unpark(worker);
        }
    }

    private void startThread(Worker worker) {
        try {
            worker.start();
        } catch (Throwable t) {
            synchronized (this) {
                threads.remove(worker);
            }
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "The system gave no further thread after " + threadCount()
                            + ". Raise the limit of threads (ulimit -u, pids of the container) or use fewer CPUs.",
                    t);
        }
    }

    synchronized int threadCount() {
        return threads.size();
    }

    /// Lets idle threads end now and busy ones after their work; waits for them.
    ///
    /// @return the threads that were still busy at the deadline, and where they are; empty when all have ended
    Set<String> close(long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        Set<Worker> left;
        synchronized (this) {
            closed = true;
            idle.forEach(LockSupport::unpark);
            idle.clear();
            left = new HashSet<>(threads);
        }
        left.remove(Thread.currentThread());
        boolean interrupted = false;
        for (Worker worker : left) {
            try {
                long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                worker.join(Math.max(1, millis));
            } catch (InterruptedException e) {
                interrupted = true;
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        Set<String> busy = new HashSet<>();
        left.stream().filter(Thread::isAlive).forEach(worker -> busy.add(ThreadPlace.of(worker)));
        return busy;
    }

    @Override
    public void close() {
        close(TimeUnit.SECONDS.toNanos(10));
    }

    /// A thread with a slot for its next work. The slot is written by the thread that took the worker from the idle
    /// stack and read by the worker; it is volatile, which also publishes the work itself.
    final class Worker extends Thread {
        private final String plainName;
        private volatile @Nullable Runnable slot;
        private String shown = "";

        Worker(String name) {
            super(null, null, name, DeepStack.THREAD_BYTES, false);
            this.plainName = name;
            setDaemon(true);
            setContextClassLoader(contextClassLoader);
        }

        /// Shows in thread dumps and profiles what this thread works for. Called by the thread itself; free if nothing
        /// changes.
        void show(String operator) {
            if (!operator.equals(shown)) {
                shown = operator;
                setName(plainName + " " + operator);
            }
        }

        @Override
        public void run() {
            Runnable work = slot;
            try {
                while (work != null) {
                    try {
                        work.run();
                    } catch (Throwable t) {
                        System.getLogger(WorkerPool.class.getName())
                                .log(
                                        System.Logger.Level.ERROR,
                                        "work on " + getName() + " broke its promise to throw nothing",
                                        t);
                    }
                    work = null;
                    Thread.interrupted();
                    work = next();
                }
            } finally {
                synchronized (WorkerPool.this) {
                    threads.remove(this);
                }
            }
        }

        /// Waits for work; null when this thread should end.
        private @Nullable Runnable next() {
            slot = null;
            synchronized (WorkerPool.this) {
                if (closed) {
                    return null;
                }
                idle.addLast(this);
            }
            long deadline = System.nanoTime() + KEEP_ALIVE_NANOS;
            while (slot == null) {
                long left = deadline - System.nanoTime();
                if (left > 0) {
                    LockSupport.parkNanos(WorkerPool.this, left);
                }
                if (slot == null && (left <= 0 || isClosed())) {
                    synchronized (WorkerPool.this) {
                        if (closed || idle.remove(this)) {
                            // Nobody took this worker from the stack, so nobody will fill its slot.
                            return slot;
                        }
                    }
                    LockSupport.park(WorkerPool.this);
                }
            }
            return slot;
        }

        private boolean isClosed() {
            synchronized (WorkerPool.this) {
                return closed;
            }
        }
    }
}
