package dev.millrace.internal.operator;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.thread.CallerStack;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Where the loop thread hands finished blocks to one consumer thread. Everything is guarded by one lock; the consumer
/// waits on it, the loop never does. What the consumer took is told to the loop by `onTaken` and counted here.
public final class BlockOutlet {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<BlockSlice> blocks = new ArrayDeque<>();
    private final Runnable onTaken;
    private final Allocator consumerAccount;
    private long taken;
    private boolean asked;
    private boolean waiting;
    private boolean ended;
    private boolean closed;
    private MillraceException failure;

    /// @param consumerAccount where the bytes of a block count once the consumer has it
    /// @param onTaken wakes the loop
    BlockOutlet(Allocator consumerAccount, Runnable onTaken) {
        this.consumerAccount = consumerAccount;
        this.onTaken = onTaken;
    }

    // ---- the consumer's side

    /// The consumer has begun: from here on the run works for it.
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

    /// The next block, or null at the end; waits for it.
    public BlockSlice take() {
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
        } catch (InterruptedException e) {
            waited = waiting;
            waiting = false;
            Thread.currentThread().interrupt();
            throw new MillraceException(Culprit.USER, "The thread was interrupted while it waited for a block.", e);
        } finally {
            lock.unlock();
            if (waited) {
                consumerAccount.wantedChanged();
            }
        }
        block.block().moveTo(consumerAccount);
        onTaken.run();
        return block;
    }

    /// The consumer is there and waits, if there is nothing for it, until its next [#take] has a block.
    public void beginToWait() {
        boolean changes = locked(() -> {
            boolean before = waiting;
            waiting = !mayTake();
            return waiting != before;
        });
        // Tasks of a run whose consumer waits go before others: who held some back for them looks again. Without the
        // lock, since it asks whether the consumer waits.
        if (changes) {
            consumerAccount.wantedChanged();
        }
    }

    private boolean mayTake() {
        return !blocks.isEmpty() || ended || failure != null || closed;
    }

    /// The consumer wants no more; blocks that wait are freed, and counted as taken.
    public void close() {
        freeWaiting(() -> closed = true);
        onTaken.run();
    }

    // ---- the loop's side

    /// True once a block was asked for.
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

    /// Lets what waits for the consumer leave memory.
    void maySpill() {
        List<BlockSlice> waits;
        lock.lock();
        try {
            waits = List.copyOf(blocks);
        } finally {
            lock.unlock();
        }
        // One that is taken and freed meanwhile does not mind.
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

    /// From here on [#take] throws; blocks that wait are freed.
    void fail(MillraceException cause) {
        freeWaiting(() -> failure = cause);
    }

    /// Frees the blocks that wait, counted as taken, once `change` is made; whoever waits looks again.
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
