package dev.millrace.memory;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// Where those stand who need memory of a tree that is nearly full. One is served at a time, in an order that drains a
/// pipeline: consumers, then tasks of runs whose consumer waits, of these the ones nearest to the output, then the
/// oldest.
///
/// Nobody polls: whoever releases memory, leaves the line, changes the order or stops moving wakes the first. A tree
/// moves while a task computes, the loop of a run has something to do or a task that it believes to compute, or
/// somebody spills ([#active]).
///
/// Tasks are served below the calm limit. When nothing moves, the first in line may go up to the ceiling, if its
/// consumer waits: it alone, so that the room between the two is enough for it to finish a block; it need not wait for
/// that where nothing comes between it and the consumer. What is above the ceiling is for consumers. When nothing moves
/// and the first still lacks room, the last makes room, of those in line and those that are paused because nobody takes
/// their blocks: its task ends with [MemoryYielded] and is run again later. When nobody is left to do so, the line is
/// desperate: runs let the blocks go to disk that wait between their operators. When that does not help either, and
/// nothing was released for [#REFUSAL_NANOS], the first is refused. A run whose consumer is away is never refused and
/// takes nothing above the calm limit; it waits.
///
/// Thread-safe. Lock order: the line's lock is taken with no other lock of this package held; inside it, accounts are
/// charged (atomics only) and consumers are asked whether they wait.
final class MemoryLine {
    /// The one deadline, for those whom no run knows: a consumer that works on a batch may yet release it.
    static final long REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int MAX_DOUBLINGS = 6;

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

    private final Limits limits;
    private final LongSupplier clock;
    /// Tasks that have begun and are not paused, loops with something to do, threads that spill.
    private final AtomicInteger active = new AtomicInteger();
    /// How often one of these stopped while somebody stood in line.
    private final AtomicInteger stops = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    /// All below are guarded by the lock; volatile ones may be read without it.
    private final List<MemoryWaiter> waiters = new ArrayList<>();
    /// Tasks that wait for something else, e.g. because nobody takes their blocks, and may be asked to make room.
    private final Set<MemoryTurn> pausedTurns = new HashSet<>();

    private final HeldBackTasks heldBack = new HeldBackTasks();
    private volatile int length;
    private volatile int consumers;
    /// Tasks in line that were not asked to make room: of the active ones, those that do not move.
    private volatile int waitingTurns;
    /// Who will be refused unless room is made that nobody in line has; null if nobody.
    private volatile MemoryWaiter desperate;

    private long desperateSince;
    private long arrivals;
    private long lastRelease;
    private long releases;
    /// How many releases there were when room was last asked for, and how often it was asked for in vain.
    private long releasesBeforeYield = -1;

    private int vainYields;
    /// Who was last allowed above the calm limit: it need not wait again for each buffer of the same block.
    private volatile MemoryTurn overdrawing;

    /// @param clock in nanoseconds
    MemoryLine(Limits limits, LongSupplier clock) {
        this.limits = limits;
        this.clock = clock;
        this.lastRelease = clock.getAsLong();
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

    // ---- what moves

    /// Somebody who may release memory, or lead to it, started to move or stopped.
    void active(int delta) {
        int now = active.addAndGet(delta);
        if (delta < 0 && length > 0) {
            stops.incrementAndGet();
            if (now <= waitingTurns) {
                wake();
            }
        }
    }

    private boolean isMoving() {
        return active.get() > waitingTurns;
    }

    /// Has the first look again.
    private void wake() {
        lock.lock();
        try {
            wakeFirst();
        } finally {
            lock.unlock();
        }
    }

    private void wakeFirst() {
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

    /// Bytes went back. Called after they were taken off the accounts, so that a waiter which just looked is woken.
    void released() {
        if (length == 0) {
            return;
        }
        lock.lock();
        try {
            lastRelease = clock.getAsLong();
            releases++;
            wakeFirst();
        } finally {
            lock.unlock();
        }
    }

    void paused(MemoryTurn turn, Runnable makeRoom) {
        lock.lock();
        try {
            turn.makeRoom(makeRoom);
            pausedTurns.add(turn);
            forgetOverdrawing(turn);
        } finally {
            lock.unlock();
        }
        active(-1);
    }

    void resumed(MemoryTurn turn) {
        boolean wasPaused;
        lock.lock();
        try {
            turn.makeRoom(null);
            // One that was asked to make room counts as active since then.
            wasPaused = pausedTurns.remove(turn);
        } finally {
            lock.unlock();
        }
        if (wasPaused) {
            active(1);
        }
    }

    /// A task has ended.
    void closed(MemoryTurn turn) {
        if (overdrawing == turn) {
            lock.lock();
            try {
                forgetOverdrawing(turn);
            } finally {
                lock.unlock();
            }
        }
        active(-1);
    }

    private void forgetOverdrawing(MemoryTurn turn) {
        overdrawing = overdrawing == turn ? null : overdrawing;
    }

    // ---- in line

    /// Charges `bytes` to the account; waits for its turn and for room.
    ///
    /// @throws MemoryRefused when there will be none
    void charge(Allocator account, long bytes, boolean consumer, MemoryRelief relief) {
        MemoryWaiter waiter = join(account, bytes, consumer, MemoryTurn.current());
        try {
            while (!tryCharge(waiter)) {
                if (relief != null && isFirst(waiter) && relieves(waiter, relief) && charges(waiter)) {
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

    /// Not under the lock: it writes files, and the tree moves meanwhile. If others stopped moving meanwhile, there may
    /// be more to spill.
    private boolean relieves(MemoryWaiter waiter, MemoryRelief relief) {
        int before = stops.get();
        active.incrementAndGet();
        try {
            return relief.relieve(waiter.bytes, waiter.consumer ? limits.limit : limits.calm);
        } finally {
            lock.lock();
            try {
                active.decrementAndGet();
                waiter.woken |= stops.get() != before;
                // Whoever came before it meanwhile saw something move. Consumers leave it to the one that looks now.
                if (!isServed(waiter)) {
                    wakeFirst();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// @param turn of the task that asks, or null
    /// @throws MemoryRefused when it never fits
    MemoryWaiter join(Allocator account, long bytes, boolean consumer, MemoryTurn turn) {
        if (bytes > (consumer ? limits.limit : limits.ceiling)) {
            throw MemoryErrors.neverFits(account, bytes, consumer ? limits.limit : limits.ceiling);
        }
        MemoryWaiter waiter;
        lock.lock();
        try {
            waiter = new MemoryWaiter(
                    account, bytes, turn, consumer, arrivals++, clock.getAsLong(), lock.newCondition());
            waiters.add(waiter);
            length = waiters.size();
            consumers += consumer ? 1 : 0;
            waitingTurns += turn == null ? 0 : 1;
            if (!isMoving()) {
                wakeFirst();
            }
        } finally {
            lock.unlock();
        }
        waiter.waits().begin(bytes);
        return waiter;
    }

    void leave(MemoryWaiter waiter) {
        lock.lock();
        try {
            waiters.remove(waiter);
            desperate = desperate == waiter ? null : desperate;
            length = waiters.size();
            consumers -= waiter.consumer ? 1 : 0;
            waitingTurns -= waiter.turn == null || waiter.yields ? 0 : 1;
            wakeFirst();
        } finally {
            lock.unlock();
        }
        tellFreed();
        if (waiter.turn != null) {
            waiter.turn.waited(clock.getAsLong() - waiter.since);
        }
        waiter.waits().end(waiter.bytes);
    }

    /// True if it has its bytes now; then it is to leave. Whatever happens from here on wakes it.
    boolean tryCharge(MemoryWaiter waiter) {
        lock.lock();
        try {
            waiter.woken = false;
            return charges(waiter);
        } finally {
            lock.unlock();
        }
    }

    private boolean charges(MemoryWaiter waiter) {
        lock.lock();
        try {
            return isServed(waiter) && waiter.account.charge(waiter.bytes, bound(waiter)) == null;
        } finally {
            lock.unlock();
        }
    }

    private boolean isFirst(MemoryWaiter waiter) {
        lock.lock();
        try {
            return isServed(waiter);
        } finally {
            lock.unlock();
        }
    }

    /// Whether it has a reason to look again: it was woken, or its time has come.
    boolean hasNews(MemoryWaiter waiter) {
        lock.lock();
        try {
            return waiter.woken || waiter.yields || clock.getAsLong() >= waiter.refusedAt;
        } finally {
            lock.unlock();
        }
    }

    private void await(MemoryWaiter waiter) {
        lock.lock();
        try {
            waiter.await(clock);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MillraceException(
                    Culprit.RESOURCES, waiter.account.name() + " was interrupted while it waited for memory.", e);
        } finally {
            lock.unlock();
        }
    }

    /// What one does in line that was not served: leaves if it is to make room; if nothing moves and it is the first,
    /// has another make room, and at last gives up.
    ///
    /// @return whether the line has become desperate by this: the runs are to be told
    /// @throws MemoryYielded if it makes room
    /// @throws MemoryRefused if there will be none
    boolean look(MemoryWaiter waiter) {
        lock.lock();
        try {
            waiter.refusedAt = Long.MAX_VALUE;
            if (waiter.yields) {
                throw waiter.turn.yields();
            }
            if (waiter.woken || isMoving() || !isServed(waiter) || !isAwaited(waiter) || makeRoom(waiter)) {
                return false;
            }
            boolean becomesDesperate = desperate == null;
            if (becomesDesperate) {
                desperate = waiter;
                desperateSince = clock.getAsLong();
            }
            long refusal = Math.max(lastRelease, desperateSince) + REFUSAL_NANOS;
            if (clock.getAsLong() >= refusal) {
                throw MemoryErrors.nobodyMakesRoom(waiter.account, waiter.bytes, length);
            }
            waiter.refusedAt = refusal;
            return becomesDesperate;
        } finally {
            lock.unlock();
        }
    }

    /// Somebody waits for what it makes.
    private static boolean isAwaited(MemoryWaiter waiter) {
        return waiter.consumer || waiter.isWanted();
    }

    private long bound(MemoryWaiter waiter) {
        if (waiter.consumer) {
            return limits.limit;
        }
        if (!isAwaited(waiter) || !mayOverdraw(waiter)) {
            return limits.calm;
        }
        overdrawing = waiter.turn;
        return limits.ceiling;
    }

    private boolean mayOverdraw(MemoryWaiter waiter) {
        if (!isMoving() || waiter.turn != null && waiter.turn == overdrawing) {
            return true;
        }
        // What it makes goes to the consumer and nowhere else.
        return waiter.account.isLast() && (overdrawing == null || stands(overdrawing));
    }

    private boolean stands(MemoryTurn turn) {
        for (MemoryWaiter waiter : waiters) {
            if (waiter.turn == turn) {
                return true;
            }
        }
        return false;
    }

    /// Has the task make room that would be served last, and, as often as that was in vain, twice as many: there may be
    /// hundreds that hold nothing. False if there is none behind `waiter`.
    private boolean makeRoom(MemoryWaiter waiter) {
        vainYields = releases > releasesBeforeYield ? 0 : Math.min(vainYields + 1, MAX_DOUBLINGS);
        boolean any = false;
        for (int i = 0; i < 1 << vainYields && lastMakesRoom(waiter); i++) {
            any = true;
        }
        if (any) {
            releasesBeforeYield = releases;
        }
        return any;
    }

    /// The last of those that wait here and those that are paused. It counts as one that moves, until it has ended.
    private boolean lastMakesRoom(MemoryWaiter waiter) {
        MemoryWaiter last = waiter.consumer ? null : waiter;
        for (MemoryWaiter other : waiters) {
            if (other != waiter && other.turn != null && !other.yields && isLater(other, last)) {
                last = other;
            }
        }
        for (MemoryTurn turn : pausedTurns) {
            MemoryWaiter paused = MemoryWaiter.paused(turn);
            if (isLater(paused, last)) {
                last = paused;
            }
        }
        if (last == null || last == waiter) {
            return false;
        }
        if (pausedTurns.remove(last.turn)) {
            active.incrementAndGet();
            last.turn.makeRoom().run();
            last.turn.makeRoom(null);
        } else {
            last.yields = true;
            waitingTurns--;
            last.wake();
        }
        return true;
    }

    /// True for consumers and for the first of the tasks, unless a consumer waits.
    private boolean isServed(MemoryWaiter waiter) {
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

    /// True if `other` comes after `than`; anybody comes after nobody.
    private static boolean isLater(MemoryWaiter other, MemoryWaiter than) {
        return than == null || than.isBefore(other);
    }

    /// For whoever looks into why nothing happens.
    @Override
    public String toString() {
        lock.lock();
        try {
            StringBuilder text = new StringBuilder(active + " active, " + waitingTurns + " tasks in line, "
                    + pausedTurns.size() + " paused" + (desperate == null ? "" : ", desperate"));
            waiters.forEach(waiter -> text.append("; ").append(waiter));
            return text.toString();
        } finally {
            lock.unlock();
        }
    }

    // ---- who is held back

    /// Whether somebody stands in line who goes before this task of the operator, so that it need not begin; if so, the
    /// operator's run is told when that has changed. Before a new task goes only who goes before its whole run: what
    /// else its run has in line, the run knows.
    ///
    /// @param task as in [Allocator#enter], or [#NEW_TASK]
    boolean holdsBack(Allocator operator, long task) {
        if (length == 0) {
            return false;
        }
        lock.lock();
        try {
            return heldBack.isHeldBack(operator, task, waiters);
        } finally {
            lock.unlock();
        }
    }

    /// A consumer began or ceased to wait: the order is another. Called without locks.
    void orderChanged() {
        if (length > 0) {
            wake();
        }
        tellFreed();
    }

    /// Tells the runs that hold a task back for the sake of nobody any more. Called without locks.
    private void tellFreed() {
        if (heldBack.isEmpty()) {
            return;
        }
        List<Allocator> freed;
        lock.lock();
        try {
            freed = heldBack.takeFreed(waiters);
        } finally {
            lock.unlock();
        }
        freed.forEach(operator -> operator.waits().tellUpwards());
    }

    /// The operator has ended.
    void forget(Allocator operator) {
        if (heldBack.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            heldBack.forget(operator);
        } finally {
            lock.unlock();
        }
    }
}
