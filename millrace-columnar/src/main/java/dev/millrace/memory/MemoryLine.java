package dev.millrace.memory;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// Where those stand who need memory of a tree that is nearly full. Releases wake them; one is served at a time, in an
/// order that drains a pipeline: consumers, then tasks of runs whose consumer waits, of these the ones nearest to the
/// output, then the oldest.
///
/// Tasks are served below the calm limit. When nothing was released for a moment, the first in line may go up to the
/// ceiling, if its consumer waits: it alone, so that the room between the two is enough for it to finish a block. What
/// is above the ceiling is for consumers. When no task computes, nothing is released and the first still lacks room,
/// the
/// last makes room, of those in line and those that are paused because nobody takes their blocks: its task ends with
/// [MemoryYielded] and is run again later. When nobody is left to do so, the line is desperate: runs let the blocks go
/// to disk that wait between their operators. When that does not help either, the first is refused. A run whose
/// consumer is away is never refused and takes nothing above the calm limit; it waits.
///
/// Thread-safe. Lock order: the line's lock is taken with no other lock of this package held; inside it, accounts are
/// charged (atomics only) and consumers are asked whether they wait.
final class MemoryLine {
    /// Nothing released for this long: the first may have more.
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /// Nothing released for this long, and nobody is there who might: the last in line makes room.
    private static final long STUCK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /// The same, and nobody is left to make room: what waits between operators may go to disk.
    private static final long DESPERATE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /// The same, and that did not help: refused.
    private static final long HOPELESS_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int MOST_DOUBLINGS = 6;

    /// The id of a task that has not begun and is younger than all.
    static final long NEW_TASK = Long.MAX_VALUE;

    /// How far a tree may be filled, by whom.
    ///
    /// @param calm by tasks without waiting
    /// @param ceiling by the first task in line
    /// @param limit by anybody
    record Limits(long calm, long ceiling, long limit) {
        static Limits of(long limit) {
            return new Limits(limit - limit / 100 * 15, limit - limit / 100 * 5, limit);
        }
    }

    /// Somebody in line.
    static final class Waiter {
        final Allocator account;
        final long bytes;
        final MemoryTurn turn;
        final boolean consumer;
        final long arrival;
        final long since;
        boolean yields;

        Waiter(Allocator account, long bytes, MemoryTurn turn, boolean consumer, long arrival, long since) {
            this.account = account;
            this.bytes = bytes;
            this.turn = turn;
            this.consumer = consumer;
            this.arrival = arrival;
            this.since = since;
        }
    }

    private final Limits limits;
    private final LongSupplier clock;
    private final AtomicInteger computing = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    /// All below are guarded by the lock; `length` may be read without it.
    private final List<Waiter> waiters = new ArrayList<>();
    /// Tasks that wait for something else: nobody takes their blocks.
    private final Set<MemoryTurn> pausedTurns = new HashSet<>();

    /// Operators of which a task was held back for the sake of those in line, and its id; their runs are told when
    /// nobody in line goes before it any more. `heldBackCount` may be read without the lock.
    private final Map<Allocator, Long> heldBack = new HashMap<>();

    private volatile int heldBackCount;
    private volatile int length;
    private volatile int consumers;
    /// Who will be refused unless room is made that nobody in line has; null if nobody. May be read without the lock.
    private volatile Waiter desperate;

    private long desperateSince;
    private long arrivals;
    private long lastRelease;
    private long lastYield;
    /// How often room was asked for and nothing was released.
    private int vainYields;
    /// Who was last allowed above the calm limit: it need not wait again for each buffer of the same block.
    private MemoryTurn overdrawing;

    /// @param clock in nanoseconds
    MemoryLine(Limits limits, LongSupplier clock) {
        this.limits = limits;
        this.clock = clock;
        this.lastYield = clock.getAsLong() - STUCK_NANOS;
    }

    Limits limits() {
        return limits;
    }

    boolean isEmpty() {
        return length == 0;
    }

    boolean hasConsumer() {
        return consumers > 0;
    }

    /// True when the first in line will be refused unless room is made that nobody in line has.
    boolean isDesperate() {
        return desperate != null;
    }

    /// Tasks that started to compute, or stopped.
    void computing(int delta) {
        computing.addAndGet(delta);
    }

    /// Bytes went back. Called after they were taken off the accounts, so that a waiter which just looked is woken.
    void released() {
        if (length == 0) {
            return;
        }
        lock.lock();
        try {
            lastRelease = clock.getAsLong();
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Charges `bytes` to the account; waits for its turn and for room.
    ///
    /// @throws MemoryRefused when there will be none
    void charge(Allocator account, long bytes, boolean consumer, MemoryRelief relief) {
        Waiter waiter = join(account, bytes, consumer, MemoryTurn.current());
        try {
            while (!tryCharge(waiter)) {
                boolean first;
                lock.lock();
                try {
                    first = isServed(waiter);
                } finally {
                    lock.unlock();
                }
                // Not under the lock: it writes files.
                if (first
                        && relief != null
                        && relief.relieve(bytes, consumer ? limits.limit : limits.calm)
                        && tryCharge(waiter)) {
                    return;
                }
                if (look(waiter)) {
                    account.tellAllRuns();
                }
                await(waiter);
            }
        } finally {
            leave(waiter);
        }
    }

    /// @param turn of the task that asks, or null
    /// @throws MemoryRefused when it never fits
    Waiter join(Allocator account, long bytes, boolean consumer, MemoryTurn turn) {
        if (bytes > (consumer ? limits.limit : limits.ceiling)) {
            throw MemoryErrors.neverFits(account, bytes, consumer ? limits.limit : limits.ceiling);
        }
        Waiter waiter;
        lock.lock();
        try {
            waiter = new Waiter(account, bytes, turn, consumer, arrivals++, clock.getAsLong());
            waiters.add(waiter);
            length = waiters.size();
            consumers += consumer ? 1 : 0;
        } finally {
            lock.unlock();
        }
        account.waits().begin(bytes);
        return waiter;
    }

    void leave(Waiter waiter) {
        lock.lock();
        try {
            waiters.remove(waiter);
            desperate = desperate == waiter ? null : desperate;
            length = waiters.size();
            consumers -= waiter.consumer ? 1 : 0;
            released.signalAll();
        } finally {
            lock.unlock();
        }
        changed();
        if (waiter.turn != null) {
            waiter.turn.waited(clock.getAsLong() - waiter.since);
        }
        waiter.account.waits().end(waiter.bytes);
    }

    /// Whether somebody stands in line who goes before this task of the operator, so that it need not begin; if so, the
    /// operator's run is told when that has changed. Before a new task goes only who goes before its whole run: what
    /// else
    /// its run has in line, the run knows.
    ///
    /// @param task as in [Allocator#enter], or [#NEW_TASK]
    boolean holdsBack(Allocator operator, long task) {
        if (length == 0) {
            return false;
        }
        lock.lock();
        try {
            // Noted before it is looked at: a consumer that comes or goes meanwhile finds it.
            Long noted = heldBack.put(operator, task);
            heldBackCount = heldBack.size();
            if (goesBefore(operator, task)) {
                return true;
            }
            // What was noted before stays until the run is told: whoever made the change is about to look.
            if (noted == null) {
                heldBack.remove(operator);
                heldBackCount = heldBack.size();
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean goesBefore(Allocator operator, long task) {
        boolean wanted = operator.waits().isWanted();
        for (Waiter waiter : waiters) {
            if (waiter.consumer) {
                return true;
            }
            boolean waiterWanted = waiter.account.waits().isWanted();
            if (waiterWanted != wanted) {
                if (waiterWanted) {
                    return true;
                }
            } else if (task != NEW_TASK && isNearerOrOlder(waiter, operator, task)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNearerOrOlder(Waiter waiter, Allocator operator, long task) {
        return waiter.account.stage() != operator.stage()
                ? waiter.account.stage() > operator.stage()
                : waiter.turn != null && waiter.turn.task() < task;
    }

    /// Somebody left the line, or a consumer began or ceased to wait: tells the runs that hold a task back for the sake
    /// of nobody any more. Called without locks.
    void changed() {
        if (heldBackCount == 0) {
            return;
        }
        List<Allocator> free = new ArrayList<>();
        lock.lock();
        try {
            heldBack.forEach((operator, task) -> {
                if (!goesBefore(operator, task)) {
                    free.add(operator);
                }
            });
            free.forEach(heldBack::remove);
            heldBackCount = heldBack.size();
        } finally {
            lock.unlock();
        }
        free.forEach(operator -> operator.waits().tellUpwards());
    }

    /// The operator has ended.
    void forget(Allocator operator) {
        if (heldBackCount == 0) {
            return;
        }
        lock.lock();
        try {
            heldBack.remove(operator);
            heldBackCount = heldBack.size();
        } finally {
            lock.unlock();
        }
    }

    /// True if it has its bytes now; then it is to leave.
    boolean tryCharge(Waiter waiter) {
        lock.lock();
        try {
            return isServed(waiter) && waiter.account.charge(waiter.bytes, bound(waiter)) == null;
        } finally {
            lock.unlock();
        }
    }

    private void await(Waiter waiter) {
        lock.lock();
        try {
            if (!waiter.yields) {
                released.awaitNanos(STALL_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MillraceException(
                    Culprit.RESOURCES, waiter.account.name() + " was interrupted while it waited for memory.", e);
        } finally {
            lock.unlock();
        }
    }

    /// What one does in line, from time to time: leaves if it is to make room; if nothing moves and it is the first,
    /// has
    /// another make room, and at last gives up.
    ///
    /// @return whether the line has become desperate by this: the runs are to be told
    /// @throws MemoryYielded if it makes room
    /// @throws MemoryRefused if there will be none
    boolean look(Waiter waiter) {
        lock.lock();
        try {
            if (waiter.yields) {
                throw waiter.turn.yields();
            }
            if (!isStuck(waiter) || clock.getAsLong() - lastYield < STUCK_NANOS || makeRoom(waiter)) {
                return false;
            }
            if (desperate == null && quietNanos(waiter) >= DESPERATE_NANOS) {
                desperate = waiter;
                desperateSince = clock.getAsLong();
                return true;
            }
            // However long it took until nobody was left to make room, runs have their time to bring blocks to disk.
            if (quietNanos(waiter) >= HOPELESS_NANOS
                    && clock.getAsLong() - desperateSince >= HOPELESS_NANOS - DESPERATE_NANOS) {
                throw MemoryErrors.nobodyMakesRoom(waiter.account, waiter.bytes, length);
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private long bound(Waiter waiter) {
        if (waiter.consumer) {
            return limits.limit;
        }
        if (!waiter.account.waits().isWanted()) {
            return limits.calm;
        }
        if (waiter.turn != null && waiter.turn == overdrawing) {
            return limits.ceiling;
        }
        if (quietNanos(waiter) < STALL_NANOS) {
            return limits.calm;
        }
        overdrawing = waiter.turn;
        return limits.ceiling;
    }

    private long quietNanos(Waiter waiter) {
        return clock.getAsLong() - (lastRelease == 0 ? waiter.since : Math.max(lastRelease, waiter.since));
    }

    /// Its turn, somebody waits for it, and no task is there that could release something.
    private boolean isStuck(Waiter waiter) {
        if (quietNanos(waiter) < STUCK_NANOS || !isServed(waiter)) {
            return false;
        }
        int waitingTasks = 0;
        for (Waiter other : waiters) {
            waitingTasks += other.turn == null ? 0 : 1;
        }
        return computing.get() <= waitingTasks
                && (waiter.consumer || waiter.account.waits().isWanted());
    }

    /// Has the task make room that would be served last, and, as often as that was in vain, twice as many: there may be
    /// hundreds that hold nothing. False if there is none behind `waiter`.
    private boolean makeRoom(Waiter waiter) {
        vainYields = lastRelease > lastYield ? 0 : Math.min(vainYields + 1, MOST_DOUBLINGS);
        boolean any = false;
        for (int i = 0; i < 1 << vainYields && lastMakesRoom(waiter); i++) {
            any = true;
        }
        if (any) {
            lastYield = clock.getAsLong();
        }
        return any;
    }

    /// The last of those that wait here and those that are paused.
    private boolean lastMakesRoom(Waiter waiter) {
        Waiter last = waiter.consumer ? null : waiter;
        for (Waiter other : waiters) {
            if (other != waiter && other.turn != null && !other.yields && isLater(other, last)) {
                last = other;
            }
        }
        for (MemoryTurn turn : pausedTurns) {
            Waiter paused = new Waiter(turn.account(), 0, turn, false, Long.MAX_VALUE, 0);
            if (turn.makeRoom() != null && isLater(paused, last)) {
                last = paused;
            }
        }
        if (last == null || last == waiter) {
            return false;
        }
        if (last.turn.makeRoom() != null) {
            last.turn.makeRoom().run();
            last.turn.makeRoom(null);
        } else {
            last.yields = true;
            released.signalAll();
        }
        return true;
    }

    private static boolean isLater(Waiter other, Waiter than) {
        return than == null || isBefore(than, other, other.account.waits().isWanted());
    }

    void paused(MemoryTurn turn, Runnable makeRoom) {
        computing.decrementAndGet();
        lock.lock();
        try {
            turn.makeRoom(makeRoom);
            pausedTurns.add(turn);
        } finally {
            lock.unlock();
        }
    }

    void resumed(MemoryTurn turn) {
        lock.lock();
        try {
            turn.makeRoom(null);
            pausedTurns.remove(turn);
        } finally {
            lock.unlock();
        }
        computing.incrementAndGet();
    }

    /// True for consumers and for the first of the tasks, unless a consumer waits.
    private boolean isServed(Waiter waiter) {
        if (waiter.consumer) {
            return true;
        }
        boolean wanted = waiter.account.waits().isWanted();
        for (Waiter other : waiters) {
            if (other != waiter && (other.consumer || isBefore(other, waiter, wanted))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBefore(Waiter other, Waiter waiter, boolean wanted) {
        boolean otherWanted = other.account.waits().isWanted();
        if (otherWanted != wanted) {
            return otherWanted;
        }
        if (other.account.stage() != waiter.account.stage()) {
            return other.account.stage() > waiter.account.stage();
        }
        long otherTask = other.turn == null ? Long.MAX_VALUE : other.turn.task();
        long task = waiter.turn == null ? Long.MAX_VALUE : waiter.turn.task();
        return otherTask != task ? otherTask < task : other.arrival < waiter.arrival;
    }
}
