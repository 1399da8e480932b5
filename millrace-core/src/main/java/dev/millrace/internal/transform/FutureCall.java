package dev.millrace.internal.transform;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.internal.fault.WaitReason;
import dev.millrace.memory.MemoryTurn;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;

/// A call of an asynchronous function: from its start until its future is completed and its batch released. While it is
/// in flight it counts as active in the line for memory, in place of the task's thread, which may wait for it.
///
/// The fields that completion changes are guarded by the monitor. Everything else belongs to the task's thread.
final class FutureCall implements WaitReason, AutoCloseable {
    private final String name;
    private final BatchCalls.Input kept;
    private final long rows;
    private final BatchScope scope;
    private final Thread thread = Thread.currentThread();
    /// Both null outside of a runtime.
    private final MemoryTurn task;

    private final MemoryTurn turn;
    private boolean done;
    private boolean awaited;
    private Batch result;
    private Throwable failure;

    /// @param kept the input once more, for the case that the call fails; its block may be null
    /// @param task that of this thread
    /// @param turn of the call
    FutureCall(
            String name, BatchCalls.Input kept, long rows, BatchScope scope, MemoryTurn task, MemoryTurn turn) {
        this.name = name;
        this.kept = kept;
        this.rows = rows;
        this.scope = scope;
        this.task = task;
        this.turn = turn;
    }

    BatchCalls.Input kept() {
        return kept;
    }

    long rows() {
        return rows;
    }

    BatchScope scope() {
        return scope;
    }

    /// The function has returned this future.
    void follow(CompletionStage<Batch> future) {
        future.whenComplete(this::complete);
    }

    /// @param thrown null if there is none
    void complete(Batch made, Throwable thrown) {
        synchronized (this) {
            if (done) {
                return;
            }
            done = true;
            result = made;
            failure = thrown;
            // The task's thread counts as active again before the call ceases to.
            endWait();
            if (turn != null) {
                turn.giveUp();
                turn.close();
            }
        }
        LockSupport.unpark(thread);
    }

    synchronized boolean isDone() {
        return done;
    }

    /// Waits until the future is completed, or this thread is interrupted.
    ///
    /// @return whether it is completed
    boolean await() {
        beginWait();
        try {
            while (!isDone() && !thread.isInterrupted()) {
                LockSupport.park(this);
            }
            return isDone();
        } finally {
            synchronized (this) {
                endWait();
            }
        }
    }

    private synchronized void beginWait() {
        if (!done && task != null) {
            awaited = true;
            task.waitForCall();
        }
    }

    private void endWait() {
        if (awaited) {
            awaited = false;
            task.resumeAfterCall();
        }
    }

    /// What the function returned; null, too.
    synchronized Batch result() {
        return result;
    }

    /// What it failed with, without the wrappings of futures; null if it did not.
    synchronized Throwable failure() {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /// True if one of its requests for memory was asked to make room, even if the function has caught that.
    boolean hasYielded() {
        return turn != null && turn.hasYielded();
    }

    /// Its result is not wanted: it should end soon.
    void giveUp() {
        if (turn != null) {
            turn.giveUp();
        }
    }

    @Override
    public String reason() {
        return "the future of " + name + " for " + kept.where() + ", which is not completed";
    }

    @Override
    public String toString() {
        return reason();
    }

    /// Waits for its end, since the function uses the batch until then, and releases the batch.
    @Override
    public void close() {
        boolean interrupted = false;
        while (!await()) {
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            thread.interrupt();
        }
        scope.close();
    }
}
