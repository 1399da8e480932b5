package dev.millrace.internal.spill;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Deletes files on a thread of its own, since the code that releases one may be the loop of a run, and a file system
/// may be slow. The thread begins with the first file. Thread-safe.
final class SpillDeletions implements AutoCloseable {
    private final Consumer<SpillFile> deleting;

    // Guarded by this. Files stay in the queue until they are gone.
    private final Deque<SpillFile> waiting = new ArrayDeque<>();
    private @Nullable Thread thread;
    private boolean closed;

    /// @param deleting removes a file and throws nothing
    SpillDeletions(Consumer<SpillFile> deleting) {
        this.deleting = deleting;
    }

    /// Returns at once. After [#close] it does nothing: files are deleted with their folder.
    synchronized void add(SpillFile file) {
        if (closed) {
            return;
        }
        waiting.add(file);
        if (thread == null) {
            thread = new Thread(this::run, "millrace-spill-delete");
            thread.setDaemon(true);
            thread.start();
        }
        notifyAll();
    }

    /// Waits until no file is left; an interrupt is restored afterwards.
    ///
    /// @return whether there was one
    boolean await() {
        boolean interrupted = false;
        boolean any = false;
        synchronized (this) {
            while (!waiting.isEmpty() && !closed) {
                any = true;
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return any;
    }

    private void run() {
        SpillFile file = next();
        while (file != null) {
            deleting.accept(file);
            gone();
            file = next();
        }
    }

    /// Null when this is closed.
    private synchronized @Nullable SpillFile next() {
        while (waiting.isEmpty() && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                // Nobody interrupts this thread to stop it.
            }
        }
        return closed ? null : waiting.peek();
    }

    private synchronized void gone() {
        waiting.remove();
        notifyAll();
    }

    /// Ends the thread after its current file; the others stay.
    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = thread;
            notifyAll();
        }
        boolean interrupted = false;
        while (running != null && running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
