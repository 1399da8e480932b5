package dev.millrace.memory;

/// A task's standing in the [MemoryLine], from its start to its end, on its one thread: what is nearer to the output
/// goes first, then what is older. Made by [Allocator#enter].
public final class MemoryTurn implements AutoCloseable {
    private static final ThreadLocal<MemoryTurn> CURRENT = new ThreadLocal<>();

    private final MemoryLine line;
    private final long task;
    private long waitedNanos;
    private long mostAtOnce = Long.MAX_VALUE;
    private boolean yielded;

    private MemoryTurn(MemoryLine line, long task) {
        this.line = line;
        this.task = task;
    }

    static MemoryTurn enter(MemoryLine line, long task) {
        MemoryTurn turn = new MemoryTurn(line, task);
        CURRENT.set(turn);
        if (line != null) {
            line.computing(1);
        }
        return turn;
    }

    /// The turn of this thread's task, or null.
    static MemoryTurn current() {
        return CURRENT.get();
    }

    long task() {
        return task;
    }

    void waited(long nanos) {
        waitedNanos += nanos;
    }

    /// Until this is called again, a single request of this thread's task above `bytes` is refused at once: for work that
    /// can be done in smaller pieces. Long.MAX_VALUE takes it back. Outside of a task it does nothing.
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

    void yields() {
        yielded = true;
    }

    /// True if the task was told to make room, whatever became of the [MemoryYielded] that told it.
    public boolean hasYielded() {
        return yielded;
    }

    /// How long the task has waited for memory.
    public long waitedNanos() {
        return waitedNanos;
    }

    /// The task waits for something else than memory, and will release none meanwhile.
    public void pause() {
        if (line != null) {
            line.computing(-1);
        }
    }

    public void resume() {
        if (line != null) {
            line.computing(1);
        }
    }

    @Override
    public void close() {
        CURRENT.remove();
        if (line != null) {
            line.computing(-1);
        }
    }
}
