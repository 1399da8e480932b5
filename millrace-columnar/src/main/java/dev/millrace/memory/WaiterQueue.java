package dev.millrace.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The requests in a [MemoryLine] and their order: consumers first, then tasks by [MemoryWaiter#isBefore]. The order
/// changes with every consumer that begins or ceases to wait, so it is computed when it is needed. Guarded by the
/// line's lock; the counts may be read without it.
final class WaiterQueue {
    private final List<MemoryWaiter> waiters = new ArrayList<>();
    private volatile int length;
    private volatile int consumers;
    /// Tasks in line that were not asked to make room: they are counted as active, but do not move.
    private volatile int waitingTurns;

    /// The number of requests.
    int length() {
        return length;
    }

    boolean hasConsumer() {
        return consumers > 0;
    }

    int waitingTurns() {
        return waitingTurns;
    }

    /// In the order of their arrival.
    List<MemoryWaiter> all() {
        return Collections.unmodifiableList(waiters);
    }

    void add(MemoryWaiter waiter) {
        waiters.add(waiter);
        count(waiter.consumer ? 1 : 0, waiter.turn == null ? 0 : 1);
    }

    void remove(MemoryWaiter waiter) {
        waiters.remove(waiter);
        count(waiter.consumer ? -1 : 0, waiter.turn == null || waiter.yields ? 0 : -1);
    }

    /// Asks a task in line to make room; it counts as moving from here on.
    void preempt(MemoryWaiter waiter) {
        waiter.yields = true;
        count(0, -1);
        waiter.wake();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // volatile for those who read; written under the line's lock alone
    private void count(int moreConsumers, int moreTurns) {
        length = waiters.size();
        consumers += moreConsumers;
        waitingTurns += moreTurns;
    }

    /// Wakes all consumers; if there are none, the first task.
    void wakeFirst() {
        MemoryWaiter first = null;
        for (MemoryWaiter waiter : waiters) {
            if (waiter.consumer) {
                waiter.wake();
            } else if (consumers == 0 && (first == null || isLater(first, waiter))) {
                first = waiter;
            }
        }
        if (first != null) {
            first.wake();
        }
    }

    /// True for consumers; true for the first of the tasks, unless a consumer is in line.
    boolean isServed(MemoryWaiter waiter) {
        if (waiter.consumer) {
            return true;
        }
        for (MemoryWaiter other : waiters) {
            if (other != waiter && (other.consumer || other.isBefore(waiter))) {
                return false;
            }
        }
        return true;
    }

    boolean contains(MemoryTurn turn) {
        for (MemoryWaiter waiter : waiters) {
            if (waiter.turn == turn) {
                return true;
            }
        }
        return false;
    }

    /// The last of the tasks in line that were not asked to make room, if it is behind `waiter`; else `waiter`, or null
    /// if that is a consumer.
    @Nullable
    MemoryWaiter lastTask(MemoryWaiter waiter) {
        MemoryWaiter last = waiter.consumer ? null : waiter;
        for (MemoryWaiter other : waiters) {
            if (other != waiter && other.turn != null && !other.yields && isLater(other, last)) {
                last = other;
            }
        }
        return last;
    }

    /// True if `other` has a lower priority than `than`, or if `than` is null.
    static boolean isLater(MemoryWaiter other, @Nullable MemoryWaiter than) {
        return than == null || than.isBefore(other);
    }
}
