package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.internal.resource.NodeRoom;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Tasks that run without an actor, a limited number at once. A task that is out of credit releases its resources and
/// must acquire them again before its next grant.
final class PlainSlots implements WorkerSlots {
    private final TaskOperator operator;
    private final int maxConcurrency;
    /// Where tasks run that must be in this process, if that is none of the nodes.
    private final @Nullable NodeRoom driver;

    private final ResourceHoldings taken;
    /// Null if no task is sent to a node that has no room for it.
    private final @Nullable SlotQueue queue;
    /// The tasks at the runtime, and how many of them are paused.
    private int tasks;

    private int paused;
    /// The node of the next task; null except between [#reserve] and [#assign].
    private @Nullable NodeRoom reserved;

    PlainSlots(TaskOperator operator, int maxConcurrency) {
        this.operator = operator;
        this.maxConcurrency = maxConcurrency;
        this.driver = operator.isLocal() ? operator.host.shares().driver() : null;
        this.taken = new ResourceHoldings(operator.host, driver == null ? operator.need() : ofDriver(driver));
        boolean queues =
                driver == null && !operator.isLocal() && operator.need().gpus() == 0;
        this.queue = queues ? operator.host.slotQueue() : null;
    }

    /// What a task that must run in this process takes here: of nodes it needs nothing.
    private Resources ofDriver(NodeRoom here) {
        return Resources.cpus(Math.min(operator.need().cpus(), here.total().cpus()));
    }

    @Override
    public boolean hasSlot() {
        return tasks < maxConcurrency;
    }

    @Override
    public boolean hasSlotForNew() {
        return operator.inFlight() < maxConcurrency;
    }

    @Override
    public int maxTasks() {
        return maxConcurrency;
    }

    @Override
    public String describe() {
        return operator.inFlight() + " tasks in flight, at most " + maxConcurrency;
    }

    @Override
    public boolean isComputing(int waiting) {
        return tasks - paused - waiting > 0;
    }

    @Override
    public boolean isAtWork(TaskRun lost) {
        return !lost.isPaused() && lost.ahead() == null;
    }

    @Override
    public boolean reserve(@Nullable NodeRoom preferred) {
        if (driver == null) {
            reserved = taken.take(preferred);
        } else {
            reserved = taken.takeAt(driver) ? driver : null;
        }
        return reserved != null;
    }

    @Override
    public boolean reserve(TaskRun task) {
        return taken.takeAt(task.node());
    }

    @Override
    public void assign(TaskRun task) {
        tasks++;
        task.placed(Objects.requireNonNull(reserved, "a node was reserved"));
        reserved = null;
        if (queue != null) {
            queue.holds(task);
        }
    }

    @Override
    public @Nullable TaskRun placeBehind(@Nullable NodeRoom preferred, boolean only) {
        return queue == null ? null : queue.place(operator.need(), preferred, only);
    }

    @Override
    public void assignBehind(TaskRun task, TaskRun ahead) {
        tasks++;
        Objects.requireNonNull(queue, "a place was found").add(task, ahead);
    }

    @Override
    public void paused(TaskRun task) {
        paused++;
        release(task, true);
    }

    @Override
    public void resumed(TaskRun task) {
        paused--;
        if (queue != null) {
            queue.holds(task);
        }
    }

    /// The task needs its resources no more: they go to the task behind it, or back.
    private void release(TaskRun task, boolean pauses) {
        if (queue == null) {
            taken.giveBack(task.node(), operator.waitingForMemory());
            return;
        }
        if (task.ahead() != null) {
            queue.leave(task);
            return;
        }
        TaskRun heir = queue.pass(task);
        if (heir == null) {
            taken.giveBack(task.node(), operator.waitingForMemory());
        } else {
            taken.passTo(((PlainSlots) heir.operator().slots()).taken, task.node());
            heir.operator().launcher().begins(heir);
            if (pauses) {
                operator.host.begin(heir);
            }
        }
    }

    @Override
    public void left(TaskRun task) {
        tasks--;
        if (task.isPaused()) {
            paused--;
        } else {
            release(task, false);
        }
    }

    @Override
    public boolean releaseForWaiting() {
        return taken.releaseWaiting(operator.waitingForMemory());
    }

    @Override
    public @Nullable TaskRun pausedInFrontOf(TaskRun task) {
        return null;
    }

    @Override
    public boolean isPlain() {
        return true;
    }

    @Override
    public Resources needPerTask() {
        return operator.need();
    }
}
