package dev.millrace.internal.operator;

import dev.millrace.internal.resource.NodeRoom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Starts the tasks of one operator, where there is room for them: paused ones that may resume and failed ones that are
/// run again before new ones. It decides where, not whether: backpressure policies are asked by the scheduler. Loop
/// thread only.
public final class TaskLauncher {
    private final TaskOperator operator;
    private final OperatorHost host;
    private final TaskCredits credits;
    private final StoreUse store;
    private final WorkerSlots slots;
    private final NodePreference places;
    private final TaskRetries retries = new TaskRetries();
    private long tasksStarted;

    TaskLauncher(TaskOperator operator, TaskCredits credits, StoreUse store, WorkerSlots slots) {
        this.operator = operator;
        this.host = operator.host;
        this.credits = credits;
        this.store = store;
        this.slots = slots;
        this.places = new NodePreference(operator);
    }

    /// All tasks so far, each counted once.
    public long tasksStarted() {
        return tasksStarted;
    }

    // ---- paused and failed tasks

    /// Paused tasks with credit, and failed ones to run again: no policy is asked for these. A preempted task begins
    /// again when no request with a higher priority waits for memory, and its output is wanted.
    public boolean hasUrgent() {
        return !operator.isStopped() && (credits.hasResumable() || nextRetry() != null);
    }

    private @Nullable TaskRun nextRetry() {
        return retries.size() == 0 || !slots.hasSlot() ? null : retries.next(this::mayTryAgain);
    }

    private boolean mayTryAgain(TaskRun task) {
        return !task.hasYielded()
                || host.wantsOutput()
                        && (!operator.waitsHere()
                                || operator.account().admission().mayBeginAgain(task.first()));
    }

    /// Resumes a paused task, or retries one. False when the resources are not available.
    public boolean startUrgent() {
        for (TaskRun task : credits.resumable()) {
            if (slots.reserve(task)) {
                slots.resumed(task);
                credits.resume(task);
                return true;
            }
            if (host.shares().nodes().size() <= 1) {
                return false;
            }
            // Another one may be on a node that has room.
        }
        TaskRun retry = nextRetry();
        // Other threads may join the line for memory at any time: a retry that might begin a moment ago may not now.
        if (retry == null || !slots.reserve(places.of(retry))) {
            return false;
        }
        retries.leave(retry);
        launch(retry, 0);
        return true;
    }

    /// The task, whose attempt is over, gets another.
    ///
    /// @param notBefore on the run's clock; 0: at once
    void retry(TaskRun task, long notBefore) {
        retries.add(task, notBefore);
    }

    /// True when tasks were preempted and have not begun again.
    public boolean hasYielded() {
        return retries.haveYielded();
    }

    boolean hasRetries() {
        return retries.size() > 0;
    }

    /// Makes failed tasks startable whose backoff has passed.
    public void wakeRetries(long now) {
        retries.wake(now);
    }

    /// When the next backoff ends, or a task no longer waits for its node; Long.MAX_VALUE for never.
    public long deadline() {
        return Math.min(retries.deadline(), places.deadline());
    }

    /// Allows the inputs of failed tasks to be spilled.
    void maySpill() {
        retries.maySpill();
    }

    /// The operator stops.
    ///
    /// @return the tasks that would have been run again, for the caller to end
    List<TaskRun> dropRetries() {
        return retries.clear();
    }

    // ---- new tasks

    /// Starts a new task. False when the resources are not available, or when it waits for the node that has its input.
    public boolean startNew() {
        if (!operator.inputReady()) {
            return false;
        }
        NodeRoom preferred = places.ofNext();
        if (preferred != null && slots.isPlain() && places.waitsFor(preferred) || !slots.reserve(preferred)) {
            return false;
        }
        long guess = operator.guessOutputBytes();
        launch(takeTask(), guess);
        return true;
    }

    /// Whether the next task was not started because it waits for the node that has its input.
    public boolean waitsForNode() {
        return places.isWaiting();
    }

    /// Sends a new task to a node that has no room for it now, to wait there behind one that runs. False when no such
    /// place is left.
    public boolean queueNew() {
        NodeRoom preferred = places.ofNext();
        TaskRun ahead = slots.placeBehind(preferred, preferred != null && places.waitsFor(preferred));
        if (ahead == null) {
            return false;
        }
        TaskRun task = takeTask();
        int credit = credits.begin(task);
        slots.assignBehind(task, ahead);
        host.submit(task, credit);
        return true;
    }

    /// A queued task has resources now.
    void begins(TaskRun task) {
        expect(task, 0);
    }

    /// Asks a queued task back that has not begun, to run it where there is room.
    public void moveQueued(TaskRun task) {
        task.moves();
        host.recall(task);
    }

    private TaskRun takeTask() {
        places.begun();
        TaskRun task = operator.takeInput();
        tasksStarted++;
        operator.started(task);
        return task;
    }

    private void launch(TaskRun task, long guess) {
        int credit = credits.begin(task);
        expect(task, guess);
        slots.assign(task);
        host.submit(task, credit);
    }

    /// Reserves memory for the task's output: probably as much as `guess` before any output is known.
    private void expect(TaskRun task, long guess) {
        store.expect(task, operator.estimateTaskBytes(), operator.meter.outputBlocks() == 0 ? guess : Long.MAX_VALUE);
    }
}
