package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.fault.RetryRule;
import dev.millrace.internal.observe.OperatorDetails;
import dev.millrace.internal.observe.RunError;
import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.internal.stats.HintRules;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.runtime.ToleratedErrors;
import dev.millrace.runtime.WorkerGone;
import dev.millrace.stats.OperatorStats;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// An operator whose work is done by tasks, plain or in a pool of actors. If order is kept, blocks of the oldest task
/// in flight (the head) are passed on at once, and those of later tasks are held in them. Each task has a few unread
/// blocks at most, so the held blocks are bounded, and the head always gets credit.
///
/// A task that is out of credit gives its resources back and must reacquire them before its next grant; one in an actor
/// leaves them with the actor.
public abstract class TaskOperator extends RunningOperator {
    final OperatorHost host;
    private final Resources need;
    private final Allocator account;
    private final boolean local;
    private final long targetBytes;
    final OperatorMeter meter = new OperatorMeter(name());
    private final StoreUse store;
    private final TaskCredits credits;
    private final TaskOutput made;
    private final WorkerSlots slots;
    private final TaskRetries retries = new TaskRetries();
    private final ErrorLimits errors = new ErrorLimits();
    private final NodePreference places;
    private int position;
    private TaskSpec.@Nullable Stage stage;
    private @Nullable RunningOperator feeds;
    private boolean limitFollows;
    private int inFlight;
    private long tasksStarted;
    /// Rows that were given to tasks which have finished.
    private long endedRows;

    /// @param pool where tasks run, or null for plain tasks
    /// @param local tasks must run in this process
    TaskOperator(
            String name,
            OperatorHost host,
            Resources need,
            int maxConcurrency,
            @Nullable ActorPool pool,
            Allocator account,
            boolean local,
            long targetBytes) {
        super(name);
        this.host = host;
        this.need = need;
        this.account = account;
        this.local = local;
        this.targetBytes = targetBytes;
        this.places = new NodePreference(this);
        this.store = new StoreUse(host, meter);
        this.credits = new TaskCredits(host, host.settings().execution().unreadBlocksPerTask());
        this.made = new TaskOutput(this, host, credits, store);
        this.slots = pool == null ? new PlainSlots(this, maxConcurrency) : pool.serve(this);
    }

    /// True when the input of one more task is available.
    public abstract boolean inputReady();

    /// True when there will be no further task.
    abstract boolean inputExhausted();

    /// The next task; only when [#inputReady].
    abstract TaskRun takeInput();

    /// The expected output bytes of the next task, before any task has finished.
    abstract long guessOutputBytes();

    /// Adds where the input of the next task is, as far as that is cheap to know; only when [#inputReady].
    void tallyInput(NodeBytes bytes) {
        NodePreference.tally(bytes, inputs());
    }

    /// The source line of the verb that it works for, if there is one; for errors without a wording of their own.
    String site() {
        return CallSite.UNKNOWN;
    }

    /// The lines of the user's program that it works for, as stats show them.
    String lines() {
        return site();
    }

    /// True if its rows end here: what it puts out tells what was written.
    boolean writes() {
        return false;
    }

    /// How many rows it will get, where that is known.
    OptionalLong totalInputRows() {
        return OptionalLong.empty();
    }

    OptionalLong totalTasks() {
        return OptionalLong.empty();
    }

    OptionalLong totalRows() {
        return OptionalLong.empty();
    }

    /// Called once the whole pipeline is built: the position of this operator in it, and the operator that consumes its
    /// blocks, skipping those that only pass them on.
    final void place(int at) {
        this.position = at;
        for (RunningOperator next = requireOutput().to();
                next != null;
                next = next.output() == null ? null : next.output().to()) {
            if (feeds == null && (next instanceof TaskOperator || next.output() == null)) {
                feeds = next;
            }
            limitFollows |= next instanceof LimitOperator;
        }
        account.stage(at, feeds().output() == null);
    }

    // ---- called by the scheduler

    /// The position of this operator among those with tasks, in the order of the data flow.
    public final int position() {
        return position;
    }

    /// The operator with tasks that consumes this one's blocks, or the output.
    public final RunningOperator feeds() {
        return Objects.requireNonNull(feeds, "the pipeline is built");
    }

    /// The same for a runtime.
    ///
    /// @param run the number of the run, always the same
    public final TaskSpec.Stage stage(long run) {
        if (stage == null) {
            stage = new TaskSpec.Stage(run, position, feeds().output() == null, feeds() instanceof ReduceOperator);
        }
        return stage;
    }

    public final Resources need() {
        return need;
    }

    public final WorkerSlots slots() {
        return slots;
    }

    public final OperatorMeter meter() {
        return meter;
    }

    public final Allocator account() {
        return account;
    }

    public final boolean isLocal() {
        return local;
    }

    /// Tasks that were started and have not ended, including paused and retrying ones.
    public final int inFlight() {
        return inFlight;
    }

    /// The number of input blocks of its tasks in flight. Actors count with the calls that they accept before they have
    /// any: these are prepared while they start, or while they leave the CPUs to the upstream tasks.
    public final double blocksWorkedOn() {
        return Math.max(inFlight, slots.callsAhead()) * blocksPerTask();
    }

    /// How many queued blocks make up a task.
    double blocksPerTask() {
        return 1;
    }

    public final long tasksStarted() {
        return tasksStarted;
    }

    /// Tasks that wait for memory, in this process.
    public final int waitingForMemory() {
        return waitsHere() ? account.admission().waiting() : 0;
    }

    /// True when its tasks use the memory of this process; others wait for memory in their worker.
    public final boolean waitsHere() {
        return local || host.sharesMemory();
    }

    /// True unless a request for memory of this process goes before a new task.
    public final boolean mayBegin() {
        return !waitsHere() || account.admission().mayBegin();
    }

    /// True when a task of this operator computes, as far as is known; one that waits for memory does not.
    public final boolean isComputing() {
        return slots.isComputing(waitingForMemory());
    }

    /// Blocks that were emitted and not taken, including those that wait for older tasks.
    public final int queuedBlocks() {
        return store.outputBlocks();
    }

    /// Of these, the ones that wait for older tasks.
    public final int reorderingBlocks() {
        return made.waitingBlocks();
    }

    public final long queuedBytes() {
        return store.outputBytes();
    }

    /// Inputs of running tasks and the output they are expected to produce.
    public final long taskBytes() {
        return store.taskBytes();
    }

    /// All bytes of the store that are attributed to this operator.
    public final long storeBytes() {
        return store.outputBytes() + store.taskBytes();
    }

    /// What this operator has and will probably have in the store: the operator with the least ranks first.
    public final long likelyBytes() {
        return store.likelyBytes();
    }

    /// Paused tasks with credit, and failed ones to run again: no policy is asked for these. A preempted task begins
    /// again when no request with a higher priority waits for memory, and its output is wanted.
    public final boolean hasUrgent() {
        return !isStopped() && (credits.hasResumable() || mayRetry());
    }

    private boolean mayRetry() {
        return nextRetry() != null;
    }

    private @Nullable TaskRun nextRetry() {
        return retries.size() == 0 || !slots.hasSlot() ? null : retries.next(this::mayTryAgain);
    }

    private boolean mayTryAgain(TaskRun task) {
        return !task.hasYielded()
                || host.wantsOutput() && (!waitsHere() || account.admission().mayBeginAgain(task.first()));
    }

    /// True when tasks were preempted and have not begun again.
    public final boolean hasYielded() {
        return retries.haveYielded();
    }

    final boolean hasRetries() {
        return retries.size() > 0;
    }

    /// Makes failed tasks startable whose backoff has passed.
    public final void wakeRetries(long now) {
        retries.wake(now);
    }

    /// Whether the next task was not started because it waits for the node that has its input.
    public final boolean waitsForNode() {
        return places.isWaiting();
    }

    /// When the next backoff ends, or a task no longer waits for its node; Long.MAX_VALUE for never.
    public final long retryDeadline() {
        return Math.min(retries.deadline(), places.deadline());
    }

    /// Bytes that one more task is expected to add to the store: unread blocks and the one it works on, or all of its
    /// output.
    public final long estimateTaskBytes() {
        long blocksAtOnce = credits.unreadLimit() + 1L;
        long blocks = meter.outputBlocks();
        if (blocks == 0) {
            // A function may make much of little, so the input size is no predictor before there is output.
            return meter.tasksFinished() > 0 ? 0 : Math.max(blocksAtOnce * targetBytes, guessOutputBytes());
        }
        long unread = blocksAtOnce * (meter.outputBytes() / blocks);
        return meter.tasksFinished() == 0 ? unread : Math.min(unread, meter.outputBytes() / meter.tasksFinished());
    }

    /// True when the tasks in flight are not expected to produce all the rows that a limit downstream still needs.
    public final boolean rowsAreWanted() {
        if (!limitFollows) {
            return true;
        }
        double wanted = requireOutput().to().rowsWanted(requireOutput());
        return wanted > 0 && (wanted == Double.POSITIVE_INFINITY || expectedRows() < wanted);
    }

    /// Rows still expected of the tasks in flight: infinite before anything is known about them.
    final double expectedRows() {
        return made.expectedRows(inFlight);
    }

    /// Resumes a paused task, or retries one. False when the resources are not available.
    public final boolean startUrgent() {
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

    /// Starts a new task. False when the resources are not available, or when it waits for the node that has its input.
    public final boolean startNew() {
        if (!inputReady()) {
            return false;
        }
        NodeRoom preferred = places.ofNext();
        if (preferred != null && slots.isPlain() && places.waitsFor(preferred) || !slots.reserve(preferred)) {
            return false;
        }
        long guess = guessOutputBytes();
        launch(takeTask(), guess);
        return true;
    }

    private TaskRun takeTask() {
        places.begun();
        TaskRun task = takeInput();
        inFlight++;
        tasksStarted++;
        meter.input(task.inputRows(), inputSize(task));
        store.inputTaken(task.inputBytes());
        made.started(task);
        return task;
    }

    /// Sends a new task to a node that has no room for it now, to wait there behind one that runs. False when no such
    /// place is left.
    public final boolean queueNew() {
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
    final void begins(TaskRun task) {
        store.expect(task, estimateTaskBytes(), meter.outputBlocks() == 0 ? 0 : Long.MAX_VALUE);
    }

    /// Asks a queued task back that has not begun, to run it where there is room.
    public final void moveQueued(TaskRun task) {
        task.moves();
        host.recall(task);
    }

    /// True when the oldest task waits for an actor, or in it, behind younger tasks that are out of credit and get none
    /// before it has ended: this happens when a lost call is run again. Lets one of the younger tasks emit one block
    /// beyond its credit.
    public final boolean unblockOldest() {
        TaskRun oldest = made.oldest();
        if (oldest == null || oldest.isPaused()) {
            return false;
        }
        TaskRun inFront = slots.pausedInFrontOf(oldest);
        if (inFront == null || hasUrgent()) {
            return false;
        }
        slots.resumed(inFront);
        credits.resume(inFront, 1);
        return true;
    }

    /// True when a task of it could start if a node had the resources that it needs beside CPUs, and none has.
    public final boolean lacksRoom() {
        Resources beside = slots.needPerTask().withoutCpus();
        return !beside.equals(Resources.NONE)
                && !local
                && !isStopped()
                && (hasUrgent() || inputReady())
                && host.shares().nodes().stream()
                        .noneMatch(node -> host.shares().hasRoom(node, beside));
    }

    /// Ends a paused task whose node has nothing left of what it needs beside CPUs, if another node has: it is run
    /// again there.
    ///
    /// @return whether there was one
    public final boolean movesPaused() {
        Resources beside = slots.needPerTask().withoutCpus();
        if (beside.equals(Resources.NONE) || local || host.shares().nodes().size() < 2) {
            return false;
        }
        for (TaskRun task : credits.resumable()) {
            boolean stuck = !task.isMoving() && !host.shares().hasRoom(task.node(), beside);
            if (stuck
                    && host.shares().nodes().stream()
                            .anyMatch(node -> host.shares().hasRoom(node, need))) {
                task.moves();
                host.cancelTask(task);
                return true;
            }
        }
        return false;
    }

    private void launch(TaskRun task, long guess) {
        int credit = credits.begin(task);
        store.expect(task, estimateTaskBytes(), meter.outputBlocks() == 0 ? guess : Long.MAX_VALUE);
        slots.assign(task);
        host.submit(task, credit);
    }

    // ---- events of the runtime

    public final void blockReady(TaskRun task, BlockRef block) {
        made.ready(task, block);
    }

    /// The task reports that it is out of credit.
    public final void paused(TaskRun task) {
        if (!task.paused()) {
            return;
        }
        slots.paused(task);
        if (!isStopped()) {
            credits.offer(task);
        }
    }

    public final void finished(TaskRun task, TaskReport report) {
        leaveRuntime(task, false);
        meter.finished(report, task.inputRows(), () -> TaskInput.describe(task));
        endedRows += task.inputRows();
        failIfTooMany(errors.add(report.errors()));
        end(task, report.told());
    }

    public final void failed(TaskRun task, TaskEvent.Failed event) {
        if (event.workerLost() && !(event.cause() instanceof WorkerGone) && slots.isAtWork(task)) {
            task.lostItsWorker(host.now());
        }
        boolean moves = task.isMoving() && event.cause() instanceof TaskCancelled;
        leaveRuntime(task, event.cause() instanceof MemoryYielded);
        if (moves && !isStopped()) {
            retries.add(task, 0);
            return;
        }
        if (isStopped()) {
            meter.stopped(event.report());
            end(task, null);
            return;
        }
        if (task.hasYielded()) {
            meter.yielded(event.report());
            made.forget(task);
        } else {
            meter.failed(event.report());
        }
        RetryRule.Decision decision =
                RetryRule.decide(host.settings().faults(), event.cause(), event.workerLost(), task, Math.random());
        if (decision.retry()) {
            long delay = task.hasYielded() && !waitsHere() ? task.yieldBackoff() : decision.delayNanos();
            retries.add(task, delay == 0 ? 0 : host.now() + delay);
            return;
        }
        if (host.mayDropErrored()) {
            made.drop(task);
        } else {
            // First, so that no output of later tasks passes the gap that this task leaves.
            host.fail(failure(task, event));
        }
        end(task, null);
    }

    private MillraceException failure(TaskRun task, TaskEvent.Failed event) {
        return event.workerLost()
                ? TaskFaults.lostWorkers(
                        name() + CallSite.suffix(lines()), TaskInput.describe(task), task.lostWorkers(), event.cause())
                : TaskFaults.failure(name() + CallSite.suffix(site()), event.cause(), task.failures(), account);
    }

    private void failIfTooMany(@Nullable MillraceException failure) {
        if (failure != null && !isStopped()) {
            host.fail(failure);
        }
    }

    private void leaveRuntime(TaskRun task, boolean madeRoom) {
        credits.leave(task);
        slots.left(task);
        store.expectLess(task, task.expectedBytes());
        task.attemptOver(madeRoom);
    }

    private void end(TaskRun task, @Nullable Serializable told) {
        task.ended(told);
        inFlight--;
        store.inputReleased(task.inputBytes());
        for (BlockSlice input : task.inputs()) {
            input.release();
        }
        made.passOn();
        checkFinished();
    }

    /// A block was taken by the next operator.
    final void left(long bytes) {
        store.left(bytes);
    }

    /// The task may emit another block for one that was taken.
    final void credit(TaskRun task) {
        task.delivery().taken();
        if (!isStopped()) {
            credits.taken(task);
        }
    }

    @Override
    void maySpill() {
        super.maySpill();
        made.maySpill();
        retries.maySpill();
    }

    @Override
    void onStop() {
        credits.clear();
        retries.clear().forEach(task -> end(task, null));
        host.cancelTasks(this);
        made.clear();
    }

    @Override
    void inputArrived(BlockChannel input) {}

    @Override
    void inputEnded(BlockChannel input) {
        checkFinished();
    }

    final void checkFinished() {
        if (inFlight == 0 && !isFinished() && inputExhausted()) {
            failIfTooMany(errors.atEnd());
            finish();
        }
    }

    final long inputSize(TaskRun task) {
        long bytes = 0;
        for (BlockSlice input : task.inputs()) {
            bytes += input.sizeBytes();
        }
        return bytes;
    }

    /// The figures of its functions so far.
    ///
    /// @param shared other runs use the CPUs too
    public final HintRules.Figures figures(boolean shared, long now) {
        return new HintRules.Figures(name(), meter.functions(), slots.use(shared, now), meter.hasShrunk());
    }

    /// @param running what is known of its running tasks
    /// @param over whether the run has ended
    public final OperatorStats snapshot(RunningProgress running, boolean over, long now) {
        return meter.snapshot(this, running, over, now);
    }

    /// What an observer is told of it beyond its figures.
    public final OperatorDetails details() {
        List<String> through = new ArrayList<>();
        for (RunningOperator next = requireOutput().to();
                !next.equals(feeds());
                next = next.requireOutput().to()) {
            through.add(next.name());
        }
        return new OperatorDetails(
                feeds() instanceof TaskOperator next ? next.position() : -1,
                through,
                isFinished() ? 0 : storeBytes(),
                slots.maxActors(),
                slots.readyActors(),
                slots.lastReason());
    }

    /// The errors of rows that its policies tolerated, in tasks that have ended.
    public final void listTolerated(List<RunError> into, long atNanos) {
        for (ToleratedErrors sum : errors.sums()) {
            if (sum.failed() > 0) {
                into.add(new RunError(
                        name(),
                        "rows failed (" + sum.policy() + ")",
                        Objects.requireNonNullElse(sum.firstCause(), ""),
                        sum.operation(),
                        sum.failed(),
                        atNanos));
            }
        }
    }

    /// How much of its work is done, where the whole is known: by the rows that it makes, or gets, or by tasks.
    final OptionalDouble done(RunningProgress running) {
        if (isFinished()) {
            return OptionalDouble.of(1);
        }
        if (totalRows().isPresent()) {
            return share((double) meter.rowsMade(this, running), totalRows().getAsLong());
        }
        OptionalLong whole = totalInputRows();
        if (whole.isPresent()) {
            return share((double) (endedRows + running.inputRows()), whole.getAsLong());
        }
        return totalTasks().isPresent()
                ? share(meter.tasksFinished() + running.tasks(), totalTasks().getAsLong())
                : OptionalDouble.empty();
    }

    private static OptionalDouble share(double done, long whole) {
        return whole <= 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.min(1, done / whole));
    }
}
