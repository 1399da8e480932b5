package dev.millrace.memory;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/// Which tasks make room for the first in a [MemoryLine] when nothing moves: those with the lowest priority, among the
/// tasks in line and those that are paused. A task that was asked counts as moving until it has ended. Guarded by the
/// line's lock.
final class TaskPreemption {
    private static final int MAX_DOUBLINGS = 6;

    private final WaiterQueue waiters;
    /// The line's count of active parties.
    private final AtomicInteger active;
    /// Tasks that wait for something else, e.g. because nobody takes their blocks, and may be preempted.
    private final Set<MemoryTurn> paused = new HashSet<>();

    private long releases;
    /// The number of releases when a task was last preempted, and how many preemptions since freed nothing.
    private long releasesBefore = -1;

    private int vain;

    TaskPreemption(WaiterQueue waiters, AtomicInteger active) {
        this.waiters = waiters;
        this.active = active;
    }

    /// The task is paused, and makes room if `makeRoom` is called.
    void paused(MemoryTurn turn, Runnable makeRoom) {
        turn.makeRoom(makeRoom);
        paused.add(turn);
    }

    /// The task goes on.
    ///
    /// @return whether it was paused until now; false if it was asked to make room, and has counted as active since
    boolean resumed(MemoryTurn turn) {
        turn.makeRoom(null);
        return paused.remove(turn);
    }

    /// The number of paused tasks that may be asked.
    int pausedTasks() {
        return paused.size();
    }

    /// Bytes were released.
    void released() {
        releases++;
    }

    /// Preempts the task with the lowest priority; after each preemption that freed nothing, twice as many: there may
    /// be hundreds of tasks that hold nothing. False if there is none with a lower priority than `waiter`.
    boolean makeRoomFor(MemoryWaiter waiter) {
        vain = releases > releasesBefore ? 0 : Math.min(vain + 1, MAX_DOUBLINGS);
        boolean any = false;
        for (int i = 0; i < 1 << vain && preemptLast(waiter); i++) {
            any = true;
        }
        if (any) {
            releasesBefore = releases;
        }
        return any;
    }

    private boolean preemptLast(MemoryWaiter waiter) {
        MemoryWaiter last = waiters.lastTask(waiter);
        for (MemoryTurn turn : paused) {
            MemoryWaiter candidate = MemoryWaiter.paused(turn);
            if (WaiterQueue.isLater(candidate, last)) {
                last = candidate;
            }
        }
        if (last == null || last == waiter) {
            return false;
        }
        MemoryTurn turn = last.turn;
        if (turn != null && paused.remove(turn)) {
            active.incrementAndGet();
            Objects.requireNonNull(turn.makeRoom(), "a paused task can be asked")
                    .run();
            turn.makeRoom(null);
        } else {
            waiters.preempt(last);
        }
        return true;
    }
}
