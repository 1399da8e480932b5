package dev.millrace.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Operators of which a task does not begin for the sake of others in the [MemoryLine]; their runs are to be told when
/// nobody in line goes before it any more. Guarded by the line's lock, but for [#isEmpty].
final class HeldBackTasks {
    private final Map<Allocator, Long> tasks = new HashMap<>();
    private volatile boolean empty = true;

    boolean isEmpty() {
        return empty;
    }

    /// Whether one of `waiters` goes before this task, so that it need not begin; then that is noted.
    boolean isHeldBack(Allocator operator, long task, List<MemoryWaiter> waiters) {
        // Noted before it is looked at: a consumer that comes or goes meanwhile finds it.
        Long noted = tasks.put(operator, task);
        empty = false;
        if (isBehind(operator, task, waiters)) {
            return true;
        }
        // What was noted before stays until the run is told: whoever made the change is about to look.
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

    /// Forgets and answers the operators whose task nobody goes before any more.
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
