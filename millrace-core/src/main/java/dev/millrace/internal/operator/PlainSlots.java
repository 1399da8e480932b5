package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import org.jspecify.annotations.Nullable;

/// Tasks that run without an actor, a limited number at once. A task that is out of credit releases its resources and
/// must acquire them again before its next grant.
final class PlainSlots implements WorkerSlots {
    private final TaskOperator operator;
    private final int maxConcurrency;
    private final ResourceHoldings taken;
    /// The tasks at the runtime, and how many of them are paused.
    private int tasks;

    private int paused;

    PlainSlots(TaskOperator operator, int maxConcurrency) {
        this.operator = operator;
        this.maxConcurrency = maxConcurrency;
        this.taken = new ResourceHoldings(operator.host, operator.need());
    }

    @Override
    public boolean hasSlot() {
        return tasks < maxConcurrency;
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
    public boolean reserve() {
        return taken.take();
    }

    @Override
    public boolean reserve(TaskRun task) {
        return taken.take();
    }

    @Override
    public void assign(TaskRun task) {
        tasks++;
    }

    @Override
    public void paused(TaskRun task) {
        paused++;
        taken.giveBack(operator.waitingForMemory());
    }

    @Override
    public void resumed(TaskRun task) {
        paused--;
    }

    @Override
    public void left(TaskRun task) {
        tasks--;
        if (task.isPaused()) {
            paused--;
        } else {
            taken.giveBack(operator.waitingForMemory());
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
    public Resources needPerTask() {
        return operator.need();
    }
}
