package dev.millrace.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Operators of which a task must not begin because requests with a higher priority are in the [MemoryLine]. Their runs
/// are notified when there is no such request any more. Guarded by the line's lock, except [#isEmpty].
final class HeldBackTasks {
    private final Map<Allocator, Long> tasks = new HashMap<>();
    private volatile boolean empty = true;

    boolean isEmpty() {
        return empty;
    }

    /// Whether one of `waiters` has priority over this task, so that it must not begin; if so, the operator is
    /// recorded.
    boolean isHeldBack(Allocator operator, long task, List<MemoryWaiter> waiters) {
        // Recorded before the check, so that a concurrent change of a consumer finds the record.
        Long noted = tasks.put(operator, task);
        empty = false;
        if (isBehind(operator, task, waiters)) {
            return true;
        }
        // An earlier record stays until the run is notified: the thread that made the change is about to check it.
        if (noted == null) {
            forget(operator);
        }
        return false;
    }

    private static boolean isBehind(Allocator operator, long task, List<MemoryWaiter> waiters) {
        for (MemoryWaiter waiter : waiters) {
            if (waiter.isBefore(operator, task)) {
                return true;
            }
        }
        return false;
    }

    /// Removes and returns the operators whose task is no longer behind any request.
    List<Allocator> takeFreed(List<MemoryWaiter> waiters) {
        List<Allocator> freed = new ArrayList<>();
        tasks.forEach((operator, task) -> {
            if (!isBehind(operator, task, waiters)) {
                freed.add(operator);
            }
        });
        freed.forEach(this::forget);
        return freed;
    }

    void forget(Allocator operator) {
        tasks.remove(operator);
        empty = tasks.isEmpty();
    }
}
