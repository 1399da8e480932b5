package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.fault.RetryRule;
import dev.millrace.internal.observe.OperatorDetails;
import dev.millrace.internal.observe.RunError;
import dev.millrace.internal.stats.HintRules;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.runtime.WorkerGone;
import dev.millrace.stats.OperatorStats;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    private final TaskLauncher launcher;
    private final StuckTasks stuck;
    private final ErrorLimits errors = new ErrorLimits();
    private int position;
    private TaskSpec.@Nullable Stage stage;
    private @Nullable RunningOperator feeds;
    private boolean limitFollows;
    private long tasksEnded;

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
        this.store = new StoreUse(host, meter);
        this.credits = new TaskCredits(host, host.settings().execution().unreadBlocksPerTask());
        this.made = new TaskOutput(this, host, credits, store);
        this.slots = pool == null ? new PlainSlots(this, maxConcurrency) : pool.serve(this);
        this.launcher = new TaskLauncher(this, credits, store, slots);
        this.stuck = new StuckTasks(this, credits, made);
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

    /// What starts its tasks.
    public final TaskLauncher launcher() {
        return launcher;
    }

    /// What lets its tasks go on that cannot where they are.
    public final StuckTasks stuck() {
        return stuck;
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
        return (int) (launcher.tasksStarted() - tasksEnded);
    }

    /// The number of input blocks of its tasks in flight. Actors count with the calls that they accept before they have
    /// any: these are prepared while they start, or while they leave the CPUs to the upstream tasks.
    public final double blocksWorkedOn() {
        return Math.max(inFlight(), slots.callsAhead()) * blocksPerTask();
    }

    /// How many queued blocks make up a task.
    double blocksPerTask() {
        return 1;
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
        return made.expectedRows(inFlight());
    }

    /// The launcher starts a new task.
    final void started(TaskRun task) {
        meter.input(task.inputRows(), inputSize(task));
        store.inputTaken(task.inputBytes());
        made.started(task);
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
            launcher.retry(task, 0);
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
            launcher.retry(task, delay == 0 ? 0 : host.now() + delay);
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
        tasksEnded++;
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
        launcher.maySpill();
    }

    @Override
    void onStop() {
        credits.clear();
        launcher.dropRetries().forEach(task -> end(task, null));
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
        if (inFlight() == 0 && !isFinished() && inputExhausted()) {
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
        errors.list(into, name(), atNanos);
    }
}
