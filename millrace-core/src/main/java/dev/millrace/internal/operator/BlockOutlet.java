package dev.millrace.internal.operator;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.thread.CallerStack;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryTurn;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The queue from the loop thread to one consumer thread. One lock guards everything; the consumer waits on it, the
/// loop never does. What the consumer took is counted here and reported to the loop by `onTaken`.
public final class BlockOutlet {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<BlockSlice> blocks = new ArrayDeque<>();
    private final Runnable onTaken;
    private final Allocator consumerAccount;
    private long taken;
    private boolean asked;
    private boolean waiting;
    /// The consumer has taken a block that its account is not charged for yet.
    private boolean moving;
    private boolean ended;
    private boolean closed;
    private @Nullable MillraceException failure;

    /// @param consumerAccount the account that is charged for a block once the consumer has it
    /// @param onTaken wakes the loop
    BlockOutlet(Allocator consumerAccount, Runnable onTaken) {
        this.consumerAccount = consumerAccount;
        this.onTaken = onTaken;
    }

    // ---- called by the consumer

    /// The consumer has begun: from here on its demand drives the run.
    public void ask() {
        boolean first;
        lock.lock();
        try {
            first = !asked;
            asked = true;
        } finally {
            lock.unlock();
        }
        if (first) {
            onTaken.run();
        }
    }

    /// True when [#take] would not wait.
    public boolean isReady() {
        return locked(this::mayTake);
    }

    /// The next block, or null at the end; waits for it. Where the consumer is a task of the same session, its run may
    /// use its CPUs for others meanwhile, this run among them.
    public @Nullable BlockSlice take() {
        MemoryTurn task = MemoryTurn.ofThread();
        if (task == null || isReady()) {
            return await();
        }
        task.waitForRun();
        try {
            return await();
        } finally {
            task.resumeAfterRun();
        }
    }

    private @Nullable BlockSlice await() {
        ask();
        beginToWait();
        BlockSlice block;
        boolean waited = false;
        lock.lock();
        try {
            while (!mayTake()) {
                changed.await();
            }
            waited = waiting;
            waiting = false;
            if (failure != null) {
                throw CallerStack.of(failure);
            }
            if (closed) {
                throw new RunClosed();
            }
            block = blocks.poll();
            if (block == null) {
                return null;
            }
            taken++;
            moving = true;
        } catch (InterruptedException e) {
            waited = waiting;
            waiting = false;
            Thread.currentThread().interrupt();
            throw new MillraceException(Culprit.USER, "The thread was interrupted while it waited for a block.", e);
        } finally {
            lock.unlock();
            if (waited) {
                consumerAccount.admission().wantedChanged();
            }
        }
        move(block);
        onTaken.run();
        return block;
    }

    private void move(BlockSlice block) {
        try {
            block.block().moveTo(consumerAccount);
        } finally {
            lock.lock();
            try {
                moving = false;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// The consumer is present and waits, if there is no block for it, until its next [#take] has one.
    public void beginToWait() {
        boolean changes = locked(() -> {
            boolean before = waiting;
            waiting = !mayTake();
            return waiting != before;
        });
        // Tasks of a run whose consumer waits have priority: runs that were held back in their favour check again.
        // Called without the lock, since it asks whether the consumer waits.
        if (changes) {
            consumerAccount.admission().wantedChanged();
        }
    }

    private boolean mayTake() {
        return !blocks.isEmpty() || ended || failure != null || closed;
    }

    /// The consumer wants no more; queued blocks are freed, and counted as taken. Then no account of the run is charged
    /// for a block of this outlet: another thread that is taking one has it in the consumer's account.
    public void close() {
        freeWaiting(() -> closed = true);
        lock.lock();
        try {
            while (moving) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        onTaken.run();
    }

    // ---- called by the loop

    /// True once a block was requested.
    boolean isAsked() {
        return locked(() -> asked);
    }

    /// True when a consumer waits for a block right now, and there is none for it.
    boolean isWaiting() {
        return locked(() -> waiting && !mayTake());
    }

    boolean isClosed() {
        return locked(() -> closed);
    }

    int size() {
        return (int) counted(blocks::size);
    }

    long taken() {
        return counted(() -> taken);
    }

    private boolean locked(BooleanSupplier read) {
        lock.lock();
        try {
            return read.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    private long counted(LongSupplier read) {
        lock.lock();
        try {
            return read.getAsLong();
        } finally {
            lock.unlock();
        }
    }

    void offer(BlockSlice block) {
        lock.lock();
        try {
            if (!closed && failure == null) {
                blocks.add(block);
                changed.signal();
                return;
            }
            taken++;
        } finally {
            lock.unlock();
        }
        block.release();
    }

    /// Allows the blocks that wait for the consumer to be spilled.
    void maySpill() {
        List<BlockSlice> waits;
        lock.lock();
        try {
            waits = List.copyOf(blocks);
        } finally {
            lock.unlock();
        }
        // A block that is taken and freed meanwhile is not affected.
        waits.forEach(slice -> slice.block().maySpill());
    }

    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// From here on [#take] throws; queued blocks are freed.
    void fail(MillraceException cause) {
        freeWaiting(() -> failure = cause);
    }

    /// Makes `change`, then frees the queued blocks, which count as taken, and wakes waiting consumers.
    private void freeWaiting(Runnable change) {
        List<BlockSlice> left;
        lock.lock();
        try {
            change.run();
            left = List.copyOf(blocks);
            taken += blocks.size();
            blocks.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(BlockSlice::release);
    }
}
