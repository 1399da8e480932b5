package dev.millrace.memory;

import dev.millrace.error.TaskCancelled;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The priority of a task in the [MemoryLine], from its start to its end, on its one thread: tasks nearer to the output
/// go first, then older ones. Created by [Allocator#enter].
public final class MemoryTurn implements AutoCloseable {
    private static final ThreadLocal<MemoryTurn> CURRENT = new ThreadLocal<>();

    private final @Nullable MemoryLine line;
    private final Allocator account;
    private final long task;
    /// The number of a call of the task; 0 for the task itself, which goes first.
    private final long call;
    /// While the task is paused: asks it to make room. Guarded by the line's lock.
    private @Nullable Runnable makeRoom;

    private long waitedNanos;
    private long mostAtOnce = Long.MAX_VALUE;
    private volatile boolean yielded;

    /// Of a call: held by the thread that makes a request for it, which is the borrower; a turn is in line once. The
    /// borrower and whether the call was given up are guarded by this turn's monitor.
    private final ReentrantLock borrowing = new ReentrantLock();

    private @Nullable Thread borrower;
    private boolean givenUp;

    private MemoryTurn(@Nullable MemoryLine line, Allocator account, long task, long call) {
        this.line = line;
        this.account = account;
        this.task = task;
        this.call = call;
    }

    static MemoryTurn enter(@Nullable MemoryLine line, Allocator account, long task) {
        MemoryTurn turn = begin(line, account, task);
        CURRENT.set(turn);
        return turn;
    }

    /// For a task that is not bound to a thread.
    static MemoryTurn begin(@Nullable MemoryLine line, Allocator account, long task) {
        return begin(line, account, task, 0);
    }

    private static MemoryTurn begin(@Nullable MemoryLine line, Allocator account, long task, long call) {
        if (line != null) {
            line.active(1);
        }
        return new MemoryTurn(line, account, task, call);
    }

    /// The turn of this thread's task, or null.
    static @Nullable MemoryTurn current() {
        return CURRENT.get();
    }

    /// The turn of this thread's task for code that waits for something other than memory, see [#pause]; or null.
    public static @Nullable MemoryTurn ofThread() {
        return CURRENT.get();
    }

    /// The account of this thread's task, or null outside a task.
    public static @Nullable Allocator accountOfTask() {
        MemoryTurn turn = CURRENT.get();
        return turn == null ? null : turn.account;
    }

    long task() {
        return task;
    }

    long call() {
        return call;
    }

    Allocator account() {
        return account;
    }

    @Nullable
    Runnable makeRoom() {
        return makeRoom;
    }

    void makeRoom(@Nullable Runnable how) {
        makeRoom = how;
    }

    void waited(long nanos) {
        waitedNanos += nanos;
    }

    /// Until this is called again, a single request of this thread's task above `bytes` is refused at once: for work
    /// that can be divided into smaller pieces. Long.MAX_VALUE removes the bound. Does nothing outside a task.
    public static void atMostAtOnce(long bytes) {
        MemoryTurn turn = CURRENT.get();
        if (turn != null) {
            turn.mostAtOnce = bytes;
        }
    }

    /// The largest single request that this thread may make.
    static long mostAtOnce() {
        MemoryTurn turn = CURRENT.get();
        return turn == null ? Long.MAX_VALUE : turn.mostAtOnce;
    }

    /// The turn of a call that goes on in other threads while this task's own thread may wait for it: an asynchronous
    /// function. It has the task's priority, counts as active until it is closed or paused, and makes its requests
    /// through [Allocator#onBehalfOf].
    ///
    /// @param number among the calls of the task: the lowest goes first, for the task waits for that one
    /// @param bytes as for [#atMostAtOnce]
    public MemoryTurn ofCall(long number, long bytes) {
        MemoryTurn turn = begin(line, account, task, number);
        turn.mostAtOnce = bytes;
        return turn;
    }

    /// Makes a request of this call on a thread without a turn of its own.
    ///
    /// @throws TaskCancelled when the call was given up
    Buffer lend(Supplier<Buffer> request) {
        if (CURRENT.get() != null) {
            return request.get();
        }
        borrowing.lock();
        try {
            borrow();
            CURRENT.set(this);
            return request.get();
        } finally {
            CURRENT.remove();
            giveBack();
            borrowing.unlock();
        }
    }

    private synchronized void borrow() {
        if (givenUp) {
            throw new TaskCancelled();
        }
        borrower = Thread.currentThread();
    }

    private synchronized void giveBack() {
        if (givenUp && borrower != null) {
            // The interrupt was for the request, not for the user's thread.
            Thread.interrupted();
        }
        borrower = null;
    }

    /// The result of this call is not wanted any more: its requests fail, also one that waits.
    public synchronized void giveUp() {
        givenUp = true;
        if (borrower != null) {
            borrower.interrupt();
        }
    }

    /// The task's own thread waits for a call of its own, which counts as active in its place. It cannot make room
    /// meanwhile. Ended by [#resumeAfterCall].
    public void waitForCall() {
        if (line != null) {
            line.blocked(this);
        }
    }

    /// Ends [#waitForCall]; any thread.
    public void resumeAfterCall() {
        if (line != null) {
            line.active(1);
        }
    }

    /// The exception that a task throws to make room.
    public MemoryYielded yields() {
        yielded = true;
        return new MemoryYielded();
    }

    /// True if the task was asked to make room, even if the [MemoryYielded] that told it was caught.
    public boolean hasYielded() {
        return yielded;
    }

    /// How long the task has waited for memory.
    public long waitedNanos() {
        return waitedNanos;
    }

    /// The task waits for something other than memory, and will release none meanwhile unless it is asked to. Its run
    /// learns of the pause by an event.
    ///
    /// @param how asks the task to end with [#yields]; called from any thread, at most once per pause, with the line's
    ///     lock held: it must only wake the task
    public void pause(Runnable how) {
        if (line != null) {
            line.paused(this, how);
        }
    }

    /// The pause has ended.
    public void resume() {
        if (line != null) {
            line.resumed(this);
        }
    }

    /// Like [#pause], for a task that waits for another task: its run is notified from here, as if the task waited for
    /// memory. Ended by [#resumeAfterOther].
    public void pauseForOther(Runnable how) {
        pause(how);
        account.waits().begin(0);
    }

    /// Ends [#pauseForOther].
    public void resumeAfterOther() {
        resume();
        account.waits().end(0);
    }

    /// The task's function waits for a run that it consumes itself: the task computes nothing meanwhile, so that its
    /// run lends its CPUs as if it waited for memory, and it cannot make room. Ended by [#resumeAfterRun].
    public void waitForRun() {
        if (line != null) {
            line.blocked(this);
        }
        account.waits().begin(0);
    }

    public void resumeAfterRun() {
        if (line != null) {
            line.active(1);
        }
        account.waits().end(0);
    }

    @Override
    public void close() {
        if (CURRENT.get() == this) {
            CURRENT.remove();
        }
        if (line != null) {
            line.closed(this);
        }
    }
}
