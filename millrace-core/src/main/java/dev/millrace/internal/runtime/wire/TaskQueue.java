package dev.millrace.internal.runtime.wire;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// Tasks that wait in a worker, each behind one that runs there, so that its end is followed by a begin without a round
/// trip to the driver. They hold nothing but their message. Thread-safe.
///
/// @param <T> a task
final class TaskQueue<T> {
    private record Waiting<T>(T task, long behind) {}

    /// By their ids, and the ids by the tasks that they wait for. Guarded by the monitor.
    private final Map<Long, Waiting<T>> waiting = new HashMap<>();

    private final Map<Long, Long> next = new HashMap<>();

    /// Adds a task behind another; false if that has ended, or has one behind it: then the task is to begin.
    ///
    /// @param running whether a task has not ended; it says no before [#next] is called
    synchronized boolean add(long id, T task, long behind, LongPredicate running) {
        if (!running.test(behind) || next.containsKey(behind)) {
            return false;
        }
        next.put(behind, id);
        waiting.put(id, new Waiting<>(task, behind));
        return true;
    }

    synchronized @Nullable T get(long id) {
        Waiting<T> found = waiting.get(id);
        return found == null ? null : found.task;
    }

    /// Takes a task out; null if it does not wait here.
    synchronized @Nullable T take(long id) {
        Waiting<T> found = waiting.remove(id);
        if (found == null) {
            return null;
        }
        next.remove(found.behind);
        return found.task;
    }

    /// Takes the task out that waited for the end of this one; null if none did.
    synchronized @Nullable T next(long ended) {
        Long id = next.get(ended);
        return id == null ? null : take(id);
    }
}
