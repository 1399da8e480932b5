package dev.millrace.memory;

import java.util.concurrent.locks.Condition;
import java.util.function.LongSupplier;

/// Somebody in the [MemoryLine], or, without a condition to wake it by, a paused task that is compared with those.
/// Guarded by the line's lock.
final class MemoryWaiter {
    final Allocator account;
    final long bytes;
    /// Of the task that asks, or null.
    final MemoryTurn turn;
    final boolean consumer;
    final long since;
    private final long arrival;
    private final Condition wakeUp;
    /// It is to make room.
    boolean yields;
    /// Something has happened since it looked.
    boolean woken;
    /// When it will be refused if nothing happens; Long.MAX_VALUE for never.
    long refusedAt = Long.MAX_VALUE;

    MemoryWaiter(
            Allocator account,
            long bytes,
            MemoryTurn turn,
            boolean consumer,
            long arrival,
            long since,
            Condition wakeUp) {
        this.account = account;
        this.bytes = bytes;
        this.turn = turn;
        this.consumer = consumer;
        this.arrival = arrival;
        this.since = since;
        this.wakeUp = wakeUp;
    }

    /// A task that is paused, as if it stood in line.
    static MemoryWaiter paused(MemoryTurn turn) {
        return new MemoryWaiter(turn.account(), 0, turn, false, Long.MAX_VALUE, 0, null);
    }

    /// Where it stands and counts as one that waits: a task in its own run, whatever it asks for. What it asks for may
    /// belong to the session, when it reads a block back that other runs share.
    private Allocator place() {
        return turn == null ? account : turn.account();
    }

    MemoryWaits waits() {
        return place().waits();
    }

    private boolean isPlaceWanted() {
        return waits().isWanted();
    }

    /// Whether somebody waits for what it asks for: blocks of the session may be waited for by a task of another run.
    boolean isWanted() {
        return account.waits().isWanted();
    }

    void wake() {
        woken = true;
        wakeUp.signal();
    }

    /// Waits until it is woken, is to make room or is to be refused.
    ///
    /// @param now the line's clock
    void await(LongSupplier now) throws InterruptedException {
        while (!woken && !yields) {
            if (refusedAt == Long.MAX_VALUE) {
                wakeUp.await();
                continue;
            }
            long left = refusedAt - now.getAsLong();
            if (left <= 0) {
                return;
            }
            wakeUp.awaitNanos(left);
        }
    }

    /// The order of tasks: those whose consumer waits, of these the ones nearest to the output, of these the oldest.
    boolean isBefore(MemoryWaiter other) {
        boolean wanted = isPlaceWanted();
        if (wanted != other.isPlaceWanted()) {
            return wanted;
        }
        if (place().stage() != other.place().stage()) {
            return place().stage() > other.place().stage();
        }
        return age() != other.age() ? age() < other.age() : arrival < other.arrival;
    }

    private long age() {
        return turn == null ? Long.MAX_VALUE : turn.task();
    }

    /// Whether it goes before a task that has not begun.
    ///
    /// @param task as in [Allocator#enter], or [MemoryLine#NEW_TASK]: before that goes only who goes before its whole
    /// run
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
