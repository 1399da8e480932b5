package dev.millrace.internal.operator;

import dev.millrace.runtime.BlockSlice;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The output of one task over all of its attempts: the credit of the current one, which rows were delivered, so that
/// none is delivered twice, and the blocks that wait until older tasks have ended. The state of its [TaskRun] says
/// which of the events may happen; anything else is an internal error that names it. Loop thread only; nothing is
/// allocated per block.
final class TaskDelivery {
    private final TaskRun task;
    /// The number of blocks that this attempt may emit in total, and how many it did emit.
    private long granted;

    private long received;
    /// Rows of this attempt that earlier ones delivered and that this one still has to produce again. Rows, not blocks:
    /// where blocks are cut depends on how much memory was available.
    private long skip;
    /// Blocks beside the output that this attempt has emitted, and those that were kept of all attempts.
    private int asideSeen;

    private int asideKept;
    /// Blocks and rows passed on by all attempts; none of them is passed on twice.
    private long deliveredBlocks;

    private long deliveredRows;
    /// Delivered blocks that were not taken yet.
    private int unread;
    /// Blocks that wait until the tasks before this one have ended; null when there were none.
    private @Nullable ArrayDeque<BlockSlice> held;

    TaskDelivery(TaskRun task) {
        this.task = task;
    }

    // ---- credit

    /// A new attempt begins; only [TaskRun#begun] calls this.
    ///
    /// @param unreadLimit the number of emitted blocks that may be untaken
    /// @return its initial credit
    int begun(int unreadLimit) {
        skip = deliveredRows;
        asideSeen = 0;
        received = 0;
        granted = Math.max(unreadLimit - unread, 0);
        return (int) granted;
    }

    /// The task may emit this many more blocks.
    void granted(int blocks) {
        task.requireRunning("granted credit");
        granted += blocks;
    }

    /// A block of it arrived. None arrives without credit, on which the bound of queued blocks depends.
    void received() {
        task.requireRunning("handed a block");
        if (received == granted) {
            throw task.illegal("handed a block more than the " + granted + " that it was granted");
        }
        received++;
    }

    /// Whether it was granted more than it has emitted by now.
    boolean hasCredit() {
        return granted > received;
    }

    /// Delivered blocks that were not taken yet.
    int unread() {
        return unread;
    }

    /// Blocks that it may still emit, and those that were not taken.
    long outstanding() {
        return granted - received + unread;
    }

    // ---- rows

    /// A block beside its output arrived.
    ///
    /// @return whether it is new; those of earlier attempts are known already
    boolean cameAside() {
        task.requireRunning("handed a block beside its output");
        boolean isNew = asideSeen == asideKept;
        asideSeen++;
        asideKept += isNew ? 1 : 0;
        return isNew;
    }

    /// Rows of it arrived.
    ///
    /// @return how many of the first of them were delivered by earlier attempts and are skipped
    long madeAgain(long rows) {
        task.requireRunning("handed rows");
        long known = Math.min(skip, rows);
        skip -= known;
        return known;
    }

    /// New rows were passed on as a block.
    void delivered(long rows) {
        task.requireRunning("delivering");
        deliveredBlocks++;
        deliveredRows += rows;
        unread++;
    }

    /// One of its blocks was taken, or will not be taken before it emits more, or was dropped permanently.
    void taken() {
        if (unread == 0) {
            throw task.illegal("relieved of a block that it does not have");
        }
        unread--;
    }

    /// One of its blocks that was not passed on was dropped, and will be produced again.
    void takenBack(long rows) {
        task.requireOver("to make a block again");
        taken();
        deliveredBlocks--;
        deliveredRows -= rows;
    }

    /// Blocks that all attempts have delivered.
    long deliveredBlocks() {
        return deliveredBlocks;
    }

    /// Rows that all attempts have delivered.
    long deliveredRows() {
        return deliveredRows;
    }

    // ---- blocks that wait for older tasks

    /// A delivered block is held here until older tasks have ended.
    void holds(BlockSlice slice) {
        task.requireRunning("holding a block");
        if (held == null) {
            held = new ArrayDeque<>(2);
        }
        held.add(slice);
    }

    /// Takes the first held block; null when there is none.
    @Nullable
    BlockSlice pollHeld() {
        return held == null ? null : held.poll();
    }

    boolean holdsBlocks() {
        return held != null && !held.isEmpty();
    }

    /// Allows the held blocks to be spilled.
    void heldMaySpill() {
        if (held != null) {
            held.forEach(slice -> slice.block().maySpill());
        }
    }
}
