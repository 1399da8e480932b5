package dev.millrace.internal.operator;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Where the loop thread hands finished blocks to one consumer thread. Everything is guarded by one lock; the consumer
/// waits on it, the loop never does. What the consumer took is told to the loop by `onTaken` and counted here.
public final class Outlet {
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
    Outlet(Allocator consumerAccount, Runnable onTaken) {
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
        lock.lock();
        try {
            return !blocks.isEmpty() || ended || failure != null || closed;
        } finally {
            lock.unlock();
        }
    }

    /// The next block, or null at the end; waits for it.
    public BlockSlice take() {
        ask();
        BlockSlice block;
        lock.lock();
        try {
            while (blocks.isEmpty() && !ended && failure == null && !closed) {
                waiting = true;
                changed.await();
            }
            waiting = false;
            if (failure != null) {
                throw failure;
            }
            if (closed) {
                throw MillraceException.user("The run was closed: its output can no longer be read.");
            }
            block = blocks.poll();
            if (block == null) {
                return null;
            }
            taken++;
        } catch (InterruptedException e) {
            waiting = false;
            Thread.currentThread().interrupt();
            throw new MillraceException(Culprit.USER, "The thread was interrupted while it waited for a block.", e);
        } finally {
            lock.unlock();
        }
        block.block().moveTo(consumerAccount);
        onTaken.run();
        return block;
    }

    /// The consumer wants no more; blocks that wait are freed, and counted as taken.
    public void close() {
        ArrayDeque<BlockSlice> left;
        lock.lock();
        try {
            closed = true;
            left = new ArrayDeque<>(blocks);
            taken += blocks.size();
            blocks.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(BlockSlice::release);
        onTaken.run();
    }

    // ---- the loop's side

    /// True once a block was asked for.
    boolean isAsked() {
        lock.lock();
        try {
            return asked;
        } finally {
            lock.unlock();
        }
    }

    /// True when a consumer waits for a block right now.
    boolean isWaiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return blocks.size();
        } finally {
            lock.unlock();
        }
    }

    long taken() {
        lock.lock();
        try {
            return taken;
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
        ArrayDeque<BlockSlice> left;
        lock.lock();
        try {
            failure = cause;
            left = new ArrayDeque<>(blocks);
            taken += blocks.size();
            blocks.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(BlockSlice::release);
    }
}
