package dev.millrace.memory;

import org.jspecify.annotations.Nullable;

/// What the loop of a run asks and tells the memory line of its tree: whether a task may begin, whether the loop moves,
/// and how short memory is. Of one account; without a line, as for memory that the garbage collector frees, every task
/// may begin.
public final class MemoryAdmission {
    private final Allocator account;
    private final @Nullable MemoryLine line;

    MemoryAdmission(Allocator account, @Nullable MemoryLine line) {
        this.account = account;
        this.line = line;
    }

    /// Of an operator: whether a new task of it may begin. It may not while a consumer waits for memory, nor, if its
    /// own consumer is away, while a task waits for memory whose consumer is present. The run is notified when the
    /// answer changes.
    public boolean mayBegin() {
        return line == null || !line.holdsBack(account, MemoryLine.NEW_TASK);
    }

    /// Of an operator: whether a preempted task of it may begin again: when no request with a higher priority is in
    /// line. The run is notified when the answer changes.
    ///
    /// @param task as in [Allocator#enter]
    public boolean mayBeginAgain(long task) {
        return line == null || !line.holdsBack(account, task);
    }

    /// A consumer has begun or ceased to wait for a run of this tree: the priority order of the line has changed.
    public void wantedChanged() {
        if (line != null) {
            line.orderChanged();
        }
    }

    /// The loop of a run of this tree has events to process, or one of its tasks computes as far as it knows. While
    /// that holds, the line takes no measures (reserve, preemption). Ended by [#loopIsQuiet].
    public void loopIsActive() {
        if (line != null) {
            line.active(1);
        }
    }

    /// The loop has no events to process, and none of its tasks computes, as far as it knows.
    public void loopIsQuiet() {
        if (line != null) {
            line.active(-1);
        }
    }

    /// True when a request waits for memory of this tree.
    public boolean isContended() {
        return line != null && !line.isEmpty();
    }

    /// True when a request will be refused memory of this tree unless blocks in queues are spilled.
    public boolean isDesperate() {
        return line != null && line.isDesperate();
    }

    /// True when a consumer waits for memory of this tree.
    public boolean isContendedByConsumer() {
        return line != null && line.hasConsumer();
    }

    /// Threads that wait for memory of this account now.
    public int waiting() {
        return account.waits().threads();
    }

    /// The bytes that they request, together.
    public long waitingBytes() {
        return account.waits().bytes();
    }
}
