package dev.millrace.internal.thread;

import dev.millrace.error.TaskCancelled;
import java.util.function.BooleanSupplier;

/// Whether the work of this thread is cancelled: for loops that call user functions, which may be slow, row by row or
/// batch by batch. An interrupt alone is not enough, since functions may swallow it.
///
/// The code that runs a task registers this on the task's thread; loops look it up once and then check it in each
/// iteration, which costs a read of a field.
public final class TaskCancellation {
    private static final ThreadLocal<TaskCancellation> CURRENT = new ThreadLocal<>();
    private static final TaskCancellation NEVER = new TaskCancellation(() -> false);

    private final BooleanSupplier cancelled;

    private TaskCancellation(BooleanSupplier cancelled) {
        this.cancelled = cancelled;
    }

    /// Closing it ends the work of this thread.
    public interface Scope extends AutoCloseable {
        @Override
        void close();
    }

    /// Registers the beginning of work on this thread.
    ///
    /// @param cancelled read often, by this thread
    public static Scope enter(BooleanSupplier cancelled) {
        CURRENT.set(new TaskCancellation(cancelled));
        return CURRENT::remove;
    }

    /// The cancellation of this thread's current work; outside of any it is never cancelled.
    public static TaskCancellation ofThread() {
        TaskCancellation current = CURRENT.get();
        return current == null ? NEVER : current;
    }

    /// @throws TaskCancelled if the work is cancelled
    public void check() {
        if (cancelled.getAsBoolean()) {
            throw new TaskCancelled();
        }
    }
}
