package dev.millrace.internal.operator;

import dev.millrace.runtime.BlockPlace;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The output of the tasks of one operator, on its way to the next: rows that an earlier attempt delivered are skipped,
/// blocks beside the output are kept aside, and if order is kept, blocks wait until older tasks have ended. Loop thread
/// only.
final class TaskOutput {
    private final TaskOperator operator;
    private final OperatorHost host;
    private final TaskCredits credits;
    private final StoreUse store;
    private final TaskOrder order;

    TaskOutput(TaskOperator operator, OperatorHost host, TaskCredits credits, StoreUse store) {
        this.operator = operator;
        this.host = host;
        this.credits = credits;
        this.store = store;
        this.order = new TaskOrder(host.settings().execution().preserveOrder());
    }

    /// A new task, younger than all before it.
    void started(TaskRun task) {
        order.started(task);
    }

    void ready(TaskRun task, BlockRef block) {
        receive(task, block);
        if (!operator.isStopped() && block.metadata().aside() != null) {
            keepAside(task, block);
            return;
        }
        BlockSlice slice = operator.isStopped() ? null : fresh(task, BlockSlice.whole(block));
        if (slice == null) {
            block.release();
            return;
        }
        long bytes = slice.sizeBytes();
        long rows = slice.rows();
        block.comesFrom(task.origin(), place(task, slice));
        task.delivery().delivered(rows);
        store.expectLess(task, bytes);
        store.made(bytes);
        operator.meter.output(rows, bytes);
        if (order.mayPass(task)) {
            operator.emit(slice, task, bytes, host.now());
        } else {
            order.hold(task, slice);
        }
    }

    private static void receive(TaskRun task, BlockRef block) {
        boolean received = false;
        try {
            task.delivery().received();
            received = true;
        } finally {
            if (!received) {
                block.release();
            }
        }
    }

    /// What the rows of the slice's block were read from; null if the task does not read.
    private static @Nullable BlockPlace place(TaskRun task, BlockSlice slice) {
        return task.reads() == null
                ? null
                : new BlockPlace(
                        task.reads(),
                        task.delivery().deliveredRows() - slice.from(),
                        slice.block().metadata().origins());
    }

    /// A block beside the output, which counts for nothing here; those of earlier attempts are known already.
    private void keepAside(TaskRun task, BlockRef block) {
        if (task.delivery().cameAside()) {
            host.keepAside(block);
        } else {
            block.release();
        }
        credits.replace(task);
    }

    /// The rows that no earlier attempt delivered, or null if there are none; then the task may emit another block.
    private @Nullable BlockSlice fresh(TaskRun task, BlockSlice made) {
        long known = task.delivery().madeAgain(made.rows());
        if (known < made.rows()) {
            return known == 0 ? made : new BlockSlice(made.block(), known, made.rows() - known);
        }
        // A block without rows provides the schema, once.
        if (made.rows() == 0 && task.delivery().deliveredBlocks() == 0) {
            return made;
        }
        credits.replace(task);
        return null;
    }

    /// Passes on the blocks that were held back by older tasks so far. Passing a block may stop the operator: a limit
    /// is reached.
    void passOn() {
        TaskRun task;
        while (!operator.isStopped() && (task = order.nextToPass()) != null) {
            BlockSlice slice = Objects.requireNonNull(order.poll(task), "the task has a block to pass");
            operator.emit(slice, task, slice.sizeBytes(), host.now());
        }
    }

    /// Drops blocks that were not passed on, to be produced again: the task was preempted.
    void forget(TaskRun task) {
        BlockSlice slice;
        while ((slice = order.poll(task)) != null) {
            task.delivery().takenBack(slice.rows());
            release(slice);
        }
    }

    /// Drops blocks that were not passed on, permanently.
    void drop(TaskRun task) {
        BlockSlice slice;
        while ((slice = order.poll(task)) != null) {
            task.delivery().taken();
            release(slice);
        }
    }

    private void release(BlockSlice slice) {
        store.left(slice.sizeBytes());
        slice.release();
    }

    /// The operator stops: nothing more is passed on.
    void clear() {
        for (TaskRun waiting : order.tasks()) {
            drop(waiting);
        }
        order.clear();
    }

    /// Allows all waiting blocks to be spilled.
    void maySpill() {
        order.maySpill();
    }

    /// The oldest task that has not ended or still has blocks here; null if there is none, or order is not kept.
    TaskRun oldest() {
        return order.oldest();
    }

    /// The number of blocks that wait for older tasks.
    int waitingBlocks() {
        return order.waitingBlocks();
    }

    /// Rows expected of the blocks that wait for older tasks and of `tasks` in flight: infinite before anything is
    /// known about them.
    double expectedRows(int tasks) {
        if (tasks == 0) {
            return order.waitingRows();
        }
        OperatorMeter meter = operator.meter;
        long ended = meter.tasksFinished();
        if (meter.outputRows() == 0) {
            return tasks > ended ? Double.POSITIVE_INFINITY : order.waitingRows();
        }
        return order.waitingRows() + tasks * ((double) meter.outputRows() / (ended > 0 ? ended : meter.outputBlocks()));
    }
}
