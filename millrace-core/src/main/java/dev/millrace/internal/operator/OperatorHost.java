package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
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

    /// Acquires resources for a task; false when they are not available now (the run is woken when they may be).
    boolean take(Resources need);

    /// Acquires resources for an actor, which keeps them: only if the largest task of the run can still run beside it,
    /// unless it is the `first` of its pool (the check before the run made sure of that).
    boolean takeForActor(Resources need, boolean first);

    /// Acquires a CPU for actors that load, released like a task's; false when none is free now, or when no other would
    /// be left for the upstream tasks meanwhile.
    boolean takeToLoad(Resources need);

    void giveBack(Resources need, boolean actor);

    /// Submits the task to the runtime as a new attempt with this credit.
    void submit(TaskRun task, int credit);

    void grant(TaskRun task, int blocks);

    /// Asks the runtime to cancel every attempt of this operator in flight.
    void cancelTasks(TaskOperator operator);

    /// Starts an actor; its events go to the pool. Null if it could not be, which an event tells, too.
    @Nullable
    ActorRef startActor(ActorPool pool, ActorPool.Actor actor, ActorProgram program, Resources need, int concurrency);

    void stopActor(ActorPool.Actor actor);

    /// Counts a task whose output is dropped; false when no more may be dropped.
    boolean mayDropErrored();

    /// Keeps a block that a task emitted beside its output until the run is over; takes over the reference.
    void keepAside(BlockRef block);

    /// Block memory of the run changed.
    void countBytes(long delta);

    /// Ends the run with this failure.
    void fail(MillraceException failure);
}
