package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.internal.observe.TaskTimeline;
import dev.millrace.internal.operator.ActorPool;
import dev.millrace.internal.operator.BlockOutlet;
import dev.millrace.internal.operator.OperatorHost;
import dev.millrace.internal.operator.OperatorPipeline;
import dev.millrace.internal.operator.PoolMember;
import dev.millrace.internal.operator.ProgramFactory;
import dev.millrace.internal.operator.ReadOperator;
import dev.millrace.internal.operator.SlotQueue;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.operator.TaskRun;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.NodeMemory;
import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.settings.Settings;
import dev.millrace.stats.RunStats;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// Decides which task of one run starts next. It has no thread: its driver (the loop of [StreamingExecutor], or a test)
/// passes events in and then calls [#dispatch]; one thread at a time.
final class TaskScheduler implements OperatorHost {
    /// The collaborators of a scheduler.
    ///
    /// @param shares of all runs of the session
    /// @param capacity this run's part of it
    /// @param account of the run; closed by the driver when everything is released
    /// @param memoryLimits of the run, on the block memory of all runs together
    /// @param events receives the events of the runtime; the driver passes them to [#accept]
    /// @param splitPulls runs listings of sources, which may be slow
    /// @param onSplits called by such a listing; the driver then calls [#splitsChanged]
    record Wiring(
            String name,
            Runtime runtime,
            CapacityShare shares,
            CapacityShare.Member capacity,
            Allocator account,
            LongUnaryOperator memoryLimits,
            Settings settings,
            ProgramFactory programs,
            LongSupplier clock,
            LongSupplier ids,
            Consumer<TaskEvent> events,
            Executor splitPulls,
            Runnable onSplits) {}

    private final Wiring wiring;
    private final @Nullable SlotQueue slotQueue;
    private final OperatorPipeline pipeline;
    private final List<TaskOperator> operators;
    private final MemoryBudget planned;
    private final TaskAdmission admission;
    private final RunCapacity capacity;
    private final WorkUnderWay work;
    private final NodeWatch nodes;
    private final List<BlockRef> asides = new ArrayList<>();
    private final RunMeter meter;
    private final RunEnding ending;
    private long now;
    private long lastProgress;
    private long erroredBlocks;
    private RunStats.State state = RunStats.State.RUNNING;
    private @Nullable MillraceException failure;

    TaskScheduler(PhysicalPlan plan, Wiring wiring, List<BlockOutlet> outlets, boolean equal) {
        this.wiring = wiring;
        this.slotQueue = wiring.runtime.queuesTasks() ? new SlotQueue() : null;
        long startedAt = wiring.clock.getAsLong();
        this.now = startedAt;
        this.lastProgress = startedAt;
        this.pipeline = new OperatorPipeline(
                plan,
                new OperatorPipeline.Parts(
                        this, wiring.programs, wiring.account, wiring.ids, wiring.splitPulls, wiring.onSplits),
                outlets,
                equal);
        this.operators = pipeline.tasks();
        this.planned = new MemoryBudget(operators, wiring.account, wiring.memoryLimits);
        this.admission = new TaskAdmission(operators, pipeline.output(), wiring.settings.execution(), wiring.shares);
        this.capacity = new RunCapacity(wiring.shares, wiring.capacity, operators, () -> now);
        this.work = new WorkUnderWay(
                wiring.runtime,
                wiring.ids,
                wiring.events,
                wiring.settings.isObserved() ? new TaskTimeline(startedAt) : null,
                () -> now);
        this.meter = new RunMeter(wiring, pipeline, admission, capacity, work, startedAt);
        this.ending = new RunEnding(wiring.name, wiring.settings.faults().cancelTimeout(), pipeline, work);
        this.nodes = new NodeWatch(wiring.name, wiring.shares, plan);
        nodesChanged();
    }

    // ---- called by the driver

    void open() {
        pipeline.open();
    }

    void accept(TaskEvent event) {
        lastProgress = now;
        work.accept(event);
    }

    /// Consumers requested or took blocks.
    void demanded() {
        lastProgress = now;
        pipeline.output().demanded();
    }

    void splitsChanged() {
        lastProgress = now;
        for (TaskOperator operator : operators) {
            if (operator instanceof ReadOperator read) {
                read.splitsChanged();
            }
        }
    }

    /// Reads the time, once per round.
    void tick() {
        now = wiring.clock.getAsLong();
    }

    /// Starts all tasks that may start now.
    void dispatch() {
        capacity.newRound();
        if (nodes.haveChanged()) {
            nodesChanged();
        }
        ending.tend(now);
        closeIdlePools();
        if (pipeline.output().isStopped()) {
            capacity.endRound(false);
            return;
        }
        if (wiring.account.admission().isDesperate()) {
            pipeline.maySpill();
        }
        admission.limit(planned.bytes(wiring.capacity.part()));
        for (int i = 0; i < operators.size(); i++) {
            operators.get(i).launcher().wakeRetries(now);
            var _ = operators.get(i).slots().releaseForWaiting();
        }
        do {
            capacity.newRound();
            admission.startAll(now);
            // An actor may just have got CPUs for a call that is queued behind one which waits for memory.
        } while (releaseForWaiting() && capacity.isShort());
        if (slotQueue != null) {
            QueueAhead.tend(slotQueue, admission, capacity);
        }
        capacity.endRound(admission.isShortOfMemory());
        checkStall();
        checkNodes();
    }

    private void nodesChanged() {
        nodes.look(now);
        admission.cpus(wiring.capacity.most().cpus());
        planned.workers(wiring.shares.memory());
    }

    /// Ends a run that has needed more than any node has for too long.
    private void checkNodes() {
        if (now >= nodes.deadline()) {
            fail(nodes.failure());
        }
    }

    private boolean releaseForWaiting() {
        boolean any = false;
        for (int i = 0; i < operators.size(); i++) {
            any |= operators.get(i).slots().releaseForWaiting();
        }
        return any;
    }

    private void closeIdlePools() {
        for (TaskOperator operator : operators) {
            if (operator.isFinished()) {
                operator.slots().close();
            }
        }
    }

    /// True when all output has been delivered, or none is wanted, and nothing is in flight.
    boolean isEnded() {
        return ending.isEnded();
    }

    /// True when the run ended without some of its tasks, which may still hold memory.
    boolean hasGivenUp() {
        return ending.hasGivenUp();
    }

    /// The last call: everything has ended.
    void close() {
        closeIdlePools();
        meter.ended();
        if (state == RunStats.State.RUNNING) {
            state = RunStats.State.FINISHED;
        }
        wiring.capacity.close();
    }

    /// Ends the run early: cancels running tasks and frees queued blocks. Idempotent.
    void cancel() {
        if (state == RunStats.State.RUNNING && !pipeline.output().isFinished()) {
            state = RunStats.State.CANCELLED;
        }
        pipeline.output().stop();
    }

    /// True when no task computes and no actor starts, as far as is known: after [#dispatch], nothing happens without
    /// an event.
    boolean isIdle() {
        return !LivenessRule.isAnythingGoingOn(operators);
    }

    boolean isAbandoned() {
        return pipeline.output().isAbandoned();
    }

    @Nullable
    MillraceException failure() {
        return failure;
    }

    OperatorPipeline pipeline() {
        return pipeline;
    }

    /// The time at which [#dispatch] must be called even without an event; Long.MAX_VALUE for never.
    long deadline() {
        long deadline = Long.MAX_VALUE;
        for (TaskOperator operator : operators) {
            deadline = Math.min(
                    deadline,
                    Math.min(operator.launcher().deadline(), operator.slots().deadline()));
        }
        deadline = Math.min(deadline, ending.deadline());
        return pipeline.output().isStopped()
                ? deadline
                : Math.min(Math.min(deadline, nodes.deadline()), stallDeadline());
    }

    private long stallDeadline() {
        return lastProgress + wiring.settings.faults().stallTimeout().toNanos();
    }

    private void checkStall() {
        if (now >= stallDeadline()) {
            if (pipeline.output().isConsumerWaiting()) {
                fail(StallReport.of(
                        wiring.name,
                        wiring.settings.faults().stallTimeout(),
                        stats(),
                        operators,
                        wiring.account,
                        pipeline.output().unread()));
            } else {
                lastProgress = now;
            }
        }
    }

    RunStats stats() {
        return meter.stats(state);
    }

    /// What an observer sees of the run.
    RunDetails details() {
        return meter.details(state, failure);
    }

    // ---- called by operators

    @Override
    public Settings settings() {
        return wiring.settings;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public double idleCpuTime(long time) {
        return meter.idleCpuTime(time);
    }

    @Override
    public boolean isAsked() {
        return pipeline.output().isAsked();
    }

    @Override
    public boolean wantsOutput() {
        return pipeline.output().wantsMore();
    }

    @Override
    public CapacityShare shares() {
        return wiring.shares;
    }

    @Override
    public @Nullable NodeRoom take(Resources need, @Nullable NodeRoom preferred) {
        return capacity.take(need, preferred);
    }

    @Override
    public boolean takeAt(Resources need, NodeRoom node) {
        return capacity.takeAt(need, node);
    }

    @Override
    public @Nullable NodeRoom takeForActor(ActorPool pool, Resources need) {
        return capacity.takeForActor(pool, need);
    }

    @Override
    public boolean takeToLoad(Resources need, NodeRoom node) {
        return capacity.takeToLoad(need, node);
    }

    @Override
    public void giveBack(Resources need, NodeRoom node, boolean actor) {
        capacity.giveBack(need, node, actor);
    }

    @Override
    public boolean sharesMemory() {
        return wiring.shares.driver() == null;
    }

    @Override
    public long taskMemory() {
        NodeMemory workers = wiring.shares.memory();
        return workers.isKnown() ? workers.leastNode() : wiring.account.limit();
    }

    @Override
    public void submit(TaskRun task, int credit) {
        work.submit(task, credit);
    }

    @Override
    public void grant(TaskRun task, int blocks) {
        work.grant(task, blocks);
    }

    @Override
    public @Nullable SlotQueue slotQueue() {
        return slotQueue;
    }

    @Override
    public void begin(TaskRun task) {
        work.begin(task);
    }

    @Override
    public void recall(TaskRun task) {
        work.recall(task);
    }

    @Override
    public void cancelTask(TaskRun task) {
        work.cancel(task);
    }

    @Override
    public void cancelTasks(TaskOperator operator) {
        work.cancel(operator);
    }

    @Override
    public @Nullable ActorRef startActor(
            ActorPool pool, PoolMember actor, ActorProgram program, Resources need, int concurrency) {
        return work.startActor(pool, actor, program, need, concurrency);
    }

    @Override
    public void stopActor(PoolMember actor) {
        work.stopActor(actor);
    }

    @Override
    public boolean mayDropErrored() {
        int most = wiring.settings.faults().maxErroredBlocks();
        if (most >= 0 && erroredBlocks >= most) {
            return false;
        }
        erroredBlocks++;
        return true;
    }

    @Override
    public void keepAside(BlockRef block) {
        // Nobody reads it before the run has ended, and there may be more of them than memory holds.
        block.maySpill();
        asides.add(block);
    }

    /// Blocks that tasks emitted beside the output; the caller owns them. Only when the run has ended.
    List<BlockRef> takeAsides() {
        List<BlockRef> taken = List.copyOf(asides);
        asides.clear();
        return taken;
    }

    @Override
    public void countBytes(long delta) {
        meter.countBytes(delta);
    }

    @Override
    public void fail(MillraceException cause) {
        if (state != RunStats.State.RUNNING) {
            return;
        }
        state = RunStats.State.FAILED;
        failure = cause;
        pipeline.output().fail(cause);
    }
}
