package dev.millrace.internal.transform;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.internal.fault.WaitReason;
import dev.millrace.memory.MemoryTurn;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A call of an asynchronous function: from its start until its future is completed and its batch released.
///
/// In the line for memory it counts as active while it is in flight, in place of the task's thread, which may wait for
/// it. A result that the task's thread does not wait for yet is paused: when memory is short, it is dropped, and the
/// call is made again later. So the memory of the calls behind the first is never what the first one waits for.
///
/// The state, and what comes with it, is guarded by the monitor. Everything else belongs to the task's thread.
final class FutureCall implements WaitReason, AutoCloseable {
    private enum State {
        RUNNING,
        /// Completed, with or without success.
        DONE,
        /// Without its batch and result.
        DROPPED,
        TAKEN
    }

    private final String name;
    private final BatchCalls.Input kept;
    private final long number;
    private final BatchScope scope;
    private final Thread thread = Thread.currentThread();
    /// Both null outside of a runtime.
    private final @Nullable MemoryTurn task;

    private final @Nullable MemoryTurn turn;
    private State state = State.RUNNING;
    private boolean awaited;
    private boolean paused;
    private boolean turnEnded;
    private boolean yieldedAsFirst;
    private @Nullable Batch result;
    private @Nullable Throwable failure;

    /// @param kept the input once more, to call again with
    /// @param number among the calls of the task
    /// @param task turn of this thread
    /// @param turn of the call
    FutureCall(
            String name,
            BatchCalls.Input kept,
            long number,
            BatchScope scope,
            @Nullable MemoryTurn task,
            @Nullable MemoryTurn turn) {
        this.name = name;
        this.kept = kept;
        this.number = number;
        this.scope = scope;
        this.task = task;
        this.turn = turn;
    }

    BatchCalls.Input kept() {
        return kept;
    }

    long number() {
        return number;
    }

    BatchScope scope() {
        return scope;
    }

    /// The function has returned this future.
    void follow(CompletionStage<Batch> future) {
        future.whenComplete(this::complete);
    }

    /// @param thrown null if there is none
    void complete(@Nullable Batch made, @Nullable Throwable thrown) {
        synchronized (this) {
            if (state != State.RUNNING) {
                return;
            }
            state = State.DONE;
            result = made;
            failure = thrown;
            boolean waitedFor = awaited;
            // The task's thread counts as active again before the call ceases to.
            endWait();
            if (turn != null) {
                turn.giveUp();
            }
            if (turn != null && turn.hasYielded()) {
                yieldedAsFirst = waitedFor;
                drop();
            } else if (thrown != null) {
                // It holds nothing: it must not count as active until the task, which may wait for others, looks at it.
                scope.close();
                endTurn();
            } else if (turn != null && !waitedFor) {
                paused = true;
                // Called with the lock of the line held, hence in a thread of its own.
                turn.pause(() -> Thread.startVirtualThread(this::drop));
            }
        }
        LockSupport.unpark(thread);
    }

    /// Makes room, unless the task's thread has taken the result.
    private synchronized void drop() {
        if (state == State.DONE) {
            state = State.DROPPED;
            result = null;
            scope.close();
            endTurn();
        }
    }

    private void endTurn() {
        if (turn != null && !turnEnded) {
            turnEnded = true;
            turn.close();
        }
    }

    synchronized boolean isDone() {
        return state != State.RUNNING;
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
        if (state == State.RUNNING && task != null) {
            awaited = true;
            task.waitForCall();
        }
    }

    private void endWait() {
        if (awaited) {
            awaited = false;
            Objects.requireNonNull(task, "a task waited").resumeAfterCall();
        }
    }

    /// Takes the result of a completed call: from here on it is not dropped.
    ///
    /// @return false if it was dropped before
    synchronized boolean take() {
        if (state != State.DONE) {
            return state == State.TAKEN;
        }
        state = State.TAKEN;
        if (paused) {
            Objects.requireNonNull(turn, "a turn was paused").resume();
        }
        endTurn();
        return true;
    }

    /// What the function returned; null, too.
    synchronized @Nullable Batch result() {
        return result;
    }

    /// What it failed with, without the wrappings of futures; null if it did not.
    synchronized @Nullable Throwable failure() {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /// True if it was asked to make room while its task waited for it, even if the function has caught that: then all
    /// of the task makes room. Before that, only the call does.
    synchronized boolean hasYieldedAsFirst() {
        return yieldedAsFirst;
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
        if (take()) {
            scope.close();
        }
    }
}
