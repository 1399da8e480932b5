package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;

/// The tasks of one operator that cannot go on where they are, though they could elsewhere or in another order; the
/// scheduler's liveness rule asks for them when nothing else can happen. Loop thread only.
public final class StuckTasks {
    private final TaskOperator operator;
    private final OperatorHost host;
    private final TaskCredits credits;
    private final TaskOutput made;

    StuckTasks(TaskOperator operator, TaskCredits credits, TaskOutput made) {
        this.operator = operator;
        this.host = operator.host;
        this.credits = credits;
        this.made = made;
    }

    /// True when the oldest task waits for an actor, or in it, behind younger tasks that are out of credit and get none
    /// before it has ended: this happens when a lost call is run again. Lets one of the younger tasks emit one block
    /// beyond its credit.
    public boolean unblockOldest() {
        TaskRun oldest = made.oldest();
        if (oldest == null || oldest.isPaused()) {
            return false;
        }
        TaskRun inFront = operator.slots().pausedInFrontOf(oldest);
        if (inFront == null || operator.launcher().hasUrgent()) {
            return false;
        }
        operator.slots().resumed(inFront);
        credits.resume(inFront, 1);
        return true;
    }

    /// True when a task could start if a node had the resources that it needs beside CPUs, and none has.
    public boolean lacksRoom() {
        Resources beside = operator.slots().needPerTask().withoutCpus();
        return !beside.equals(Resources.NONE)
                && !operator.isLocal()
                && !operator.isStopped()
                && (operator.launcher().hasUrgent() || operator.inputReady())
                && host.shares().nodes().stream()
                        .noneMatch(node -> host.shares().hasRoom(node, beside));
    }

    /// Ends a paused task whose node has nothing left of what it needs beside CPUs, if another node has: it is run
    /// again there.
    ///
    /// @return whether there was one
    public boolean movesPaused() {
        Resources beside = operator.slots().needPerTask().withoutCpus();
        if (beside.equals(Resources.NONE)
                || operator.isLocal()
                || host.shares().nodes().size() < 2) {
            return false;
        }
        for (TaskRun task : credits.resumable()) {
            boolean stuck = !task.isMoving() && !host.shares().hasRoom(task.node(), beside);
            if (stuck
                    && host.shares().nodes().stream()
                            .anyMatch(node -> host.shares().hasRoom(node, operator.need()))) {
                task.moves();
                host.cancelTask(task);
                return true;
            }
        }
        return false;
    }
}
