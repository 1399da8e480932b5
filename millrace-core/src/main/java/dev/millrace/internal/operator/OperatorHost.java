package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.BlockRef;
import dev.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/// The services of the scheduler for its operators. Loop thread only.
public interface OperatorHost {
    Settings settings();

    /// Nanoseconds of the run's clock.
    long now();

    /// CPU time, in nanoseconds, that was available since the run began but not used: neither held by tasks, nor
    /// measured as used by the runtime if it can measure that.
    double idleCpuTime(long time);

    /// True once the consumer has requested a block.
    boolean isAsked();

    /// True when the consumer can use one more finished block now.
    boolean wantsOutput();

    /// The nodes of the runtime, and what is free there.
    CapacityShare shares();

    /// Acquires resources for a task, on a node; null when they are not available now (the run is woken when they may
    /// be).
    ///
    /// @param preferred is taken if it has room; null: the node with most free is
    @Nullable
    NodeRoom take(Resources need, @Nullable NodeRoom preferred);

    /// The same on that node.
    boolean takeAt(Resources need, NodeRoom node);

    /// Acquires what an actor keeps, all but its CPUs, on a node that has all that it needs: only if each task of the
    /// run can still run beside it, unless it is the first of its pool (the check before the run made sure of that).
    @Nullable
    NodeRoom takeForActor(ActorPool pool, Resources need);

    /// Acquires a CPU for actors that load, released like a task's; false when none is free now, or when no other would
    /// be left for the upstream tasks meanwhile.
    boolean takeToLoad(Resources need, NodeRoom node);

    void giveBack(Resources need, NodeRoom node, boolean actor);

    /// True when tasks use the memory of this process and wait for it here; false when workers have their own.
    boolean sharesMemory();

    /// The block memory that one task can count with: of this process, or of the node with the least.
    long taskMemory();

    /// Submits the task to the runtime as a new attempt with this credit.
    void submit(TaskRun task, int credit);

    void grant(TaskRun task, int blocks);

    /// The tasks that wait at nodes behind others; null if the runtime does not allow that.
    @Nullable
    SlotQueue slotQueue();

    /// Lets the task begin that waits at its node behind one that has paused.
    void begin(TaskRun task);

    /// Asks for the task back, if it waits at its node and has not begun: then it ends as if it had been cancelled.
    void recall(TaskRun task);

    /// Asks the runtime to cancel the task's attempt.
    void cancelTask(TaskRun task);

    /// Asks the runtime to cancel every attempt of this operator in flight.
    void cancelTasks(TaskOperator operator);

    /// Starts an actor; its events go to the pool. Null if it could not be, which an event tells, too.
    @Nullable
    ActorRef startActor(ActorPool pool, PoolMember actor, ActorProgram program, Resources need, int concurrency);

    void stopActor(PoolMember actor);

    /// Counts a task whose output is dropped; false when no more may be dropped.
    boolean mayDropErrored();

    /// Keeps a block that a task emitted beside its output until the run is over; takes over the reference.
    void keepAside(BlockRef block);

    /// Block memory of the run changed.
    void countBytes(long delta);

    /// Ends the run with this failure.
    void fail(MillraceException failure);
}
