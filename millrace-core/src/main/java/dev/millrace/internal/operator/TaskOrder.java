package dev.millrace.internal.operator;

import dev.millrace.runtime.BlockSlice;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// The order of one operator's output: tasks by age, and the blocks of younger ones that wait until the older ones
/// have ended. What waits is bounded, because each task may have only a few unread blocks. Where order is not kept,
/// everything passes at once and nothing is remembered.
final class TaskOrder {
    private final boolean kept;
    private final ArrayDeque<TaskRun> tasks = new ArrayDeque<>();
    private int waitingBlocks;
    private long waitingRows;

    TaskOrder(boolean kept) {
        this.kept = kept;
    }

    void started(TaskRun task) {
        if (kept) {
            tasks.add(task);
        }
    }

    /// The oldest task that has not ended or still has blocks here; null where there is none, or no order.
    TaskRun oldest() {
        return tasks.peekFirst();
    }

    boolean mayPass(TaskRun task) {
        return !kept || tasks.peekFirst() == task;
    }

    void hold(TaskRun task, BlockSlice slice) {
        task.delivery().holds(slice);
        waitingBlocks++;
        waitingRows += slice.rows();
    }

    /// The oldest task if it has blocks here that may pass now, else null. Ended tasks without any are forgotten.
    @Nullable
    TaskRun nextToPass() {
        TaskRun oldest;
        while ((oldest = tasks.peekFirst()) != null) {
            if (oldest.delivery().holdsBlocks()) {
                return oldest;
            }
            if (!oldest.isEnded()) {
                return null;
            }
            tasks.pollFirst();
        }
        return null;
    }

    /// Takes the first block that waits in the task; null when there is none.
    @Nullable
    BlockSlice poll(TaskRun task) {
        BlockSlice slice = task.delivery().pollHeld();
        if (slice != null) {
            waitingBlocks--;
            waitingRows -= slice.rows();
        }
        return slice;
    }

    /// Lets all that waits leave memory.
    void maySpill() {
        for (TaskRun task : tasks) {
            task.delivery().heldMaySpill();
        }
    }

    Iterable<TaskRun> tasks() {
        return tasks;
    }

    void clear() {
        tasks.clear();
    }

    int waitingBlocks() {
        return waitingBlocks;
    }

    long waitingRows() {
        return waitingRows;
    }
}
