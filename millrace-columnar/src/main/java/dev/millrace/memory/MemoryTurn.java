package dev.millrace.memory;

/// A task's standing in the [MemoryLine], from its start to its end, on its one thread: what is nearer to the output
/// goes first, then what is older. Made by [Allocator#enter].
public final class MemoryTurn implements AutoCloseable {
    private static final ThreadLocal<MemoryTurn> CURRENT = new ThreadLocal<>();

    private final MemoryLine line;
    private final Allocator account;
    private final long task;
    /// While the task is paused: asks it to make room. Guarded by the line.
    private Runnable makeRoom;

    private long waitedNanos;
    private long mostAtOnce = Long.MAX_VALUE;
    private boolean yielded;

    private MemoryTurn(MemoryLine line, Allocator account, long task) {
        this.line = line;
        this.account = account;
        this.task = task;
    }

    static MemoryTurn enter(MemoryLine line, Allocator account, long task) {
        MemoryTurn turn = begin(line, account, task);
        CURRENT.set(turn);
        return turn;
    }

    /// Of a task that is on no thread.
    static MemoryTurn begin(MemoryLine line, Allocator account, long task) {
        if (line != null) {
            line.active(1);
        }
        return new MemoryTurn(line, account, task);
    }

    /// The turn of this thread's task, or null.
    static MemoryTurn current() {
        return CURRENT.get();
    }

    /// The same for whoever waits for something else than memory, see [#pause].
    public static MemoryTurn ofThread() {
        return CURRENT.get();
    }

    /// The account of this thread's task, or null outside of one.
    public static Allocator accountOfTask() {
        MemoryTurn turn = CURRENT.get();
        return turn == null ? null : turn.account;
    }

    long task() {
        return task;
    }

    Allocator account() {
        return account;
    }

    Runnable makeRoom() {
        return makeRoom;
    }

    void makeRoom(Runnable how) {
        makeRoom = how;
    }

    void waited(long nanos) {
        waitedNanos += nanos;
    }

    /// Until this is called again, a single request of this thread's task above `bytes` is refused at once: for work
    /// that can be done in smaller pieces. Long.MAX_VALUE takes it back. Outside of a task it does nothing.
    public static void atMostAtOnce(long bytes) {
        MemoryTurn turn = CURRENT.get();
        if (turn != null) {
            turn.mostAtOnce = bytes;
        }
    }

    /// What a single request of this thread may ask for.
    static long mostAtOnce() {
        MemoryTurn turn = CURRENT.get();
        return turn == null ? Long.MAX_VALUE : turn.mostAtOnce;
    }

    /// What a task throws that makes room.
    public MemoryYielded yields() {
        yielded = true;
        return new MemoryYielded();
    }

    /// True if the task was told to make room, whatever became of the [MemoryYielded] that told it.
    public boolean hasYielded() {
        return yielded;
    }

    /// How long the task has waited for memory.
    public long waitedNanos() {
        return waitedNanos;
    }

    /// The task waits for something else than memory, and will release none meanwhile, unless it is asked to; its run
    /// learns of it by an event.
    ///
    /// @param how asks it to end with [#yields]; called from any thread, at most once per pause, with the line's lock:
    /// it
    ///     only wakes the task
    public void pause(Runnable how) {
        if (line != null) {
            line.paused(this, how);
        }
    }

    /// The task goes on as before.
    public void resume() {
        if (line != null) {
            line.resumed(this);
        }
    }

    /// The same as [#pause] for a task that waits for another one: its run learns of it from here, as if it waited for
    /// memory. Ended by [#resumeAfterOther].
    public void pauseForOther(Runnable how) {
        pause(how);
        account.waits().begin(0);
    }

    public void resumeAfterOther() {
        resume();
        account.waits().end(0);
    }

    @Override
    public void close() {
        CURRENT.remove();
        if (line != null) {
            line.closed(this);
        }
    }
}
