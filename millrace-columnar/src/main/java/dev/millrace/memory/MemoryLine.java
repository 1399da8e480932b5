package dev.millrace.memory;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The priority queue of requests for memory of a tree that is nearly full. One request is served at a time, in an
/// order that drains a pipeline: consumers first, then tasks of runs whose consumer waits; among these the ones nearest
/// to the output, then the oldest.
///
/// There is no polling. Every event that may change the outcome wakes the first in line: a release, a waiter that
/// leaves, a change of the order, and the last active party that stops moving. The tree moves while a task computes,
/// while the loop of a run has events to process or believes that one of its tasks computes, or while a thread spills
/// ([#active]).
///
/// Tasks are served below the calm limit. When nothing moves, the first in line may use memory up to the ceiling, if
/// its consumer waits: only that one, so that the space between the two limits is enough for it to finish a block. It
/// need not wait until nothing moves if no operator is between it and the consumer. The memory above the ceiling is
/// reserved for consumers. When nothing moves and the first still lacks memory, the task with the lowest priority makes
/// room, among those in line and those that are paused because nobody takes their blocks: it is preempted, ends with
/// [MemoryYielded] and is run again later. When no task is left to preempt, the line is desperate: runs spill the
/// blocks that are queued between their operators. When that does not help either, and nothing was released for
/// [#REFUSAL_NANOS], the first is refused. A run whose consumer is away is never refused and takes nothing above the
/// calm limit; it waits.
///
/// Thread-safe. Lock order: the line's lock is taken with no other lock of this package held; inside it, accounts are
/// charged (atomics only) and consumers are asked whether they wait.
final class MemoryLine {
    /// The only deadline. It covers parties that no run knows about: a consumer that works on a batch may still release
    /// it.
    static final long REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(2);

    /// The id of a task that has not begun; younger than all others.
    static final long NEW_TASK = Long.MAX_VALUE;

    /// How far a tree may be filled.
    ///
    /// @param calm by tasks without waiting
    /// @param ceiling by the first task in line
    /// @param limit by consumers
    record Limits(long calm, long ceiling, long limit) {
        static Limits of(long limit) {
            return new Limits(limit - limit / 100 * 15, limit - limit / 100 * 5, limit);
        }
    }

    private final Limits limits;
    private final LongSupplier clock;
    /// The number of active parties: tasks that have begun and are not paused, loops with events to process, threads
    /// that spill.
    private final AtomicInteger active = new AtomicInteger();
    /// How often an active party stopped while the line was not empty.
    private final AtomicInteger stops = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    /// All fields below are guarded by the lock; volatile ones may be read without it.
    private final WaiterQueue waiters = new WaiterQueue();
    private final TaskPreemption preemption = new TaskPreemption(waiters, active);
    private final HeldBackTasks heldBack = new HeldBackTasks();
    /// The request that will be refused unless memory is freed outside the line; null if there is none.
    private volatile @Nullable MemoryWaiter desperate;

    private long desperateSince;
    private long arrivals;
    private long lastRelease;
    /// The task that was last allowed above the calm limit: it need not wait again for each buffer of the same block.
    private volatile @Nullable MemoryTurn overdrawing;

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
        return waiters.length() == 0;
    }

    boolean hasConsumer() {
        return waiters.hasConsumer();
    }

    /// True when the first in line will be refused unless memory is freed outside the line.
    boolean isDesperate() {
        return desperate != null;
    }

    // ---- active parties

    /// A party that may release memory, or cause a release, started to move or stopped.
    void active(int delta) {
        int now = active.addAndGet(delta);
        if (delta < 0 && !isEmpty()) {
            stops.incrementAndGet();
            if (now <= waiters.waitingTurns()) {
                wake();
            }
        }
    }

    private boolean isMoving() {
        return active.get() > waiters.waitingTurns();
    }

    /// Wakes the first in line, so that it checks again.
    private void wake() {
        lock.lock();
        try {
            waiters.wakeFirst();
        } finally {
            lock.unlock();
        }
    }

    /// Bytes were released. Called after they were subtracted from the accounts, so that a waiter which just checked is
    /// woken.
    void released() {
        if (isEmpty()) {
            return;
        }
        lock.lock();
        try {
            lastRelease = clock.getAsLong();
            preemption.released();
            waiters.wakeFirst();
        } finally {
            lock.unlock();
        }
    }

    void paused(MemoryTurn turn, Runnable makeRoom) {
        lock.lock();
        try {
            preemption.paused(turn, makeRoom);
            forgetOverdrawing(turn);
        } finally {
            lock.unlock();
        }
        active(-1);
    }

    /// The task waits for what others do, and cannot be asked to make room.
    void blocked(MemoryTurn turn) {
        lock.lock();
        try {
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
            wasPaused = preemption.resumed(turn);
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

    // ---- waiting

    /// Charges `bytes` to the account; waits until it is first in line and there is memory.
    ///
    /// @throws MemoryRefused when the request cannot be granted
    void charge(Allocator account, long bytes, boolean consumer, @Nullable MemoryRelief relief) {
        MemoryWaiter waiter = join(account, bytes, consumer, MemoryTurn.current());
        try {
            while (!tryCharge(waiter)) {
                if (relief != null && isFirst(waiter) && spills(waiter, relief) && charges(waiter)) {
                    return;
                }
                if (escalate(waiter)) {
                    account.notifyAllRuns();
                }
                await(waiter);
            }
        } finally {
            leave(waiter);
        }
    }

    /// Runs without the lock: it writes files, and the tree moves meanwhile. If other parties stopped moving meanwhile,
    /// there may be more to spill.
    private boolean spills(MemoryWaiter waiter, MemoryRelief relief) {
        int before = stops.get();
        active.incrementAndGet();
        try {
            return relief.relieve(waiter.bytes, waiter.consumer ? limits.limit : limits.calm);
        } finally {
            lock.lock();
            try {
                active.decrementAndGet();
                waiter.woken |= stops.get() != before;
                // A waiter that became first meanwhile saw the tree moving. Consumers leave the decision to the one
                // that checks now.
                if (!waiters.isServed(waiter)) {
                    waiters.wakeFirst();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// @param turn of the requesting task, or null
    /// @throws MemoryRefused when the request can never be granted
    MemoryWaiter join(Allocator account, long bytes, boolean consumer, @Nullable MemoryTurn turn) {
        if (bytes > (consumer ? limits.limit : limits.ceiling)) {
            throw MemoryErrors.neverFits(account, bytes, consumer ? limits.limit : limits.ceiling);
        }
        MemoryWaiter waiter;
        lock.lock();
        try {
            waiter = new MemoryWaiter(
                    account, bytes, turn, consumer, arrivals++, clock.getAsLong(), lock.newCondition());
            waiters.add(waiter);
            if (!isMoving()) {
                waiters.wakeFirst();
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
            waiters.wakeFirst();
        } finally {
            lock.unlock();
        }
        notifyFreed();
        if (waiter.turn != null) {
            waiter.turn.waited(clock.getAsLong() - waiter.since);
        }
        waiter.waits().end(waiter.bytes);
    }

    /// True if the bytes were charged; the caller then leaves the line. Otherwise every later event wakes the waiter.
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
            return waiters.isServed(waiter) && waiter.account.charge(waiter.bytes, bound(waiter)) == null;
        } finally {
            lock.unlock();
        }
    }

    private boolean isFirst(MemoryWaiter waiter) {
        lock.lock();
        try {
            return waiters.isServed(waiter);
        } finally {
            lock.unlock();
        }
    }

    /// Whether the waiter has a reason to check again: it was woken, or its deadline has passed.
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

    /// The steps of a waiter that was not served: it ends if it was preempted; if nothing moves and it is the first, it
    /// preempts another task, and finally gives up.
    ///
    /// @return whether the line has become desperate by this call: then the runs must be notified
    /// @throws MemoryYielded if this waiter is preempted
    /// @throws MemoryRefused if the request cannot be granted
    boolean escalate(MemoryWaiter waiter) {
        lock.lock();
        try {
            waiter.refusedAt = Long.MAX_VALUE;
            if (waiter.yields) {
                throw Objects.requireNonNull(waiter.turn, "only tasks are asked to make room")
                        .yields();
            }
            boolean acts = !waiter.woken && !isMoving() && waiters.isServed(waiter) && isAwaited(waiter);
            if (!acts || preemption.makeRoomFor(waiter)) {
                return false;
            }
            boolean becomesDesperate = desperate == null;
            if (becomesDesperate) {
                desperate = waiter;
                desperateSince = clock.getAsLong();
            }
            long refusal = Math.max(lastRelease, desperateSince) + REFUSAL_NANOS;
            if (clock.getAsLong() >= refusal) {
                throw MemoryErrors.nobodyMakesRoom(waiter.account, waiter.bytes, waiters.length());
            }
            waiter.refusedAt = refusal;
            return becomesDesperate;
        } finally {
            lock.unlock();
        }
    }

    /// Whether a consumer or task waits for the result of this request.
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
        // Its output goes to the consumer and to no other operator.
        return waiter.account.isLast() && (overdrawing == null || waiters.contains(overdrawing));
    }

    /// The state of the line, for the diagnosis of stalls.
    @Override
    public String toString() {
        lock.lock();
        try {
            StringBuilder text = new StringBuilder(active + " active, " + waiters.waitingTurns() + " tasks in line, "
                    + preemption.pausedTasks() + " paused" + (desperate == null ? "" : ", desperate"));
            waiters.all().forEach(waiter -> text.append("; ").append(waiter));
            return text.toString();
        } finally {
            lock.unlock();
        }
    }

    // ---- admission of tasks

    /// Whether a request in line has priority over this task of the operator, so that the task must not begin. If so,
    /// the operator's run is notified when that has changed. A new task is held back only by requests with priority
    /// over its whole run: the run itself knows its other waiting tasks.
    ///
    /// @param task as in [Allocator#enter], or [#NEW_TASK]
    boolean holdsBack(Allocator operator, long task) {
        if (isEmpty()) {
            return false;
        }
        lock.lock();
        try {
            return heldBack.isHeldBack(operator, task, waiters.all());
        } finally {
            lock.unlock();
        }
    }

    /// A consumer began or ceased to wait: the order has changed. Called without locks.
    void orderChanged() {
        if (!isEmpty()) {
            wake();
        }
        notifyFreed();
    }

    /// Notifies the runs whose tasks are no longer held back. Called without locks.
    private void notifyFreed() {
        if (heldBack.isEmpty()) {
            return;
        }
        List<Allocator> freed;
        lock.lock();
        try {
            freed = heldBack.takeFreed(waiters.all());
        } finally {
            lock.unlock();
        }
        freed.forEach(operator -> operator.waits().notifyUpwards());
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
