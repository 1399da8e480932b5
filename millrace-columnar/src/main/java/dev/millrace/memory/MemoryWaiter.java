package dev.millrace.memory;

import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A request in the [MemoryLine]; or, without a condition to wake it by, a paused task that is compared with the
/// requests. Guarded by the line's lock.
final class MemoryWaiter {
    final Allocator account;
    final long bytes;
    /// Of the requesting task, or null.
    final @Nullable MemoryTurn turn;
    final boolean consumer;
    final long since;
    private final long arrival;
    private final @Nullable Condition wakeUp;
    /// The task was asked to make room.
    boolean yields;
    /// An event has happened since its last check.
    boolean woken;
    /// When it will be refused if nothing happens; Long.MAX_VALUE for never.
    long refusedAt = Long.MAX_VALUE;

    MemoryWaiter(
            Allocator account,
            long bytes,
            @Nullable MemoryTurn turn,
            boolean consumer,
            long arrival,
            long since,
            @Nullable Condition wakeUp) {
        this.account = account;
        this.bytes = bytes;
        this.turn = turn;
        this.consumer = consumer;
        this.arrival = arrival;
        this.since = since;
        this.wakeUp = wakeUp;
    }

    /// A paused task, as if it were in line.
    static MemoryWaiter paused(MemoryTurn turn) {
        return new MemoryWaiter(turn.account(), 0, turn, false, Long.MAX_VALUE, 0, null);
    }

    /// The account that determines its priority and that counts it as waiting: a task has that of its own operator,
    /// whatever account it requests from. The request may be for memory of the session, when the task reads back a
    /// block that other runs share.
    private Allocator place() {
        return turn == null ? account : turn.account();
    }

    MemoryWaits waits() {
        return place().waits();
    }

    private boolean isPlaceWanted() {
        return waits().isWanted();
    }

    /// Whether a consumer waits for the result: a task of another run may wait for blocks of the session.
    boolean isWanted() {
        return account.waits().isWanted();
    }

    private Condition condition() {
        return Objects.requireNonNull(wakeUp, "a paused task is not in line");
    }

    void wake() {
        woken = true;
        condition().signal();
    }

    /// Waits until it is woken, is asked to make room, or reaches its deadline.
    ///
    /// @param now the line's clock
    void await(LongSupplier now) throws InterruptedException {
        while (!woken && !yields) {
            if (refusedAt == Long.MAX_VALUE) {
                condition().await();
                continue;
            }
            long left = refusedAt - now.getAsLong();
            if (left <= 0) {
                return;
            }
            condition().awaitNanos(left);
        }
    }

    /// The priority order of tasks: those whose consumer waits first; among these, the ones nearest to the output;
    /// among these, the oldest, and of its calls the first.
    boolean isBefore(MemoryWaiter other) {
        boolean wanted = isPlaceWanted();
        if (wanted != other.isPlaceWanted()) {
            return wanted;
        }
        if (place().stage() != other.place().stage()) {
            return place().stage() > other.place().stage();
        }
        if (age() != other.age()) {
            return age() < other.age();
        }
        return call() != other.call() ? call() < other.call() : arrival < other.arrival;
    }

    private long call() {
        return turn == null ? 0 : turn.call();
    }

    private long age() {
        return turn == null ? Long.MAX_VALUE : turn.task();
    }

    /// Whether it has priority over a task that has not begun.
    ///
    /// @param task as in [Allocator#enter], or [MemoryLine#NEW_TASK]: over a new task only requests with priority over
    ///     its whole run have priority
    boolean isBefore(Allocator operator, long task) {
        if (consumer) {
            return true;
        }
        boolean wanted = isPlaceWanted();
        if (wanted != operator.waits().isWanted()) {
            return wanted;
        }
        if (task == MemoryLine.NEW_TASK) {
            return false;
        }
        return place().stage() != operator.stage()
                ? place().stage() > operator.stage()
                : turn != null && turn.task() < task;
    }

    @Override
    public String toString() {
        return account.name() + (consumer ? " (consumer)" : isWanted() ? " (awaited)" : "")
                + (turn == null ? "" : " task " + turn.task()) + " wants " + bytes + (woken ? ", woken" : "")
                + (yields ? ", yields" : "");
    }
}
