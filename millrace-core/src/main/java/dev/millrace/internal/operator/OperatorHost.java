package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.BlockRef;
import dev.millrace.settings.Settings;

/// What the scheduler does for its operators. Loop thread only.
public interface OperatorHost {
    Settings settings();

    /// Nanoseconds of the run's clock.
    long now();

    /// CPU time, in nanoseconds, that was there since the run began and that nobody used: neither taken by tasks, nor
    /// found to be spent by the runtime where it can tell.
    double idleCpuTime(long time);

    /// True once the consumer has asked for a block.
    boolean isAsked();

    /// True when one more finished block would be of use to the consumer now.
    boolean wantsOutput();

    /// Takes resources for a task; false when they are not there now (the run is woken when they may be).
    boolean take(Resources need);

    /// Takes resources for an actor, which keeps them: only if the largest task of the run can still run beside it,
    /// unless it is the `first` of its pool (the check before the run made sure of that).
    boolean takeForActor(Resources need, boolean first);

    /// Takes a CPU for actors that load, given back as a task's; false when there is none now, or no other that makes
    /// their input meanwhile.
    boolean takeToLoad(Resources need);

    void giveBack(Resources need, boolean actor);

    /// Hands the task to the runtime as a new attempt with this credit.
    void submit(TaskRun task, int credit);

    void grant(TaskRun task, int blocks);

    /// Asks the runtime to end every attempt of this operator that is under way.
    void cancelTasks(TaskOperator operator);

    /// Starts an actor; its events go to the pool.
    ActorRef startActor(ActorPool pool, ActorPool.Actor actor, ActorProgram program, Resources need, int concurrency);

    void stopActor(ActorPool.Actor actor);

    /// Counts a task whose output is given up; false when no more may be.
    boolean mayDropErrored();

    /// Keeps a block that came beside a task's output until the run is over; takes over the hold on it.
    void keepAside(BlockRef block);

    /// Block memory of the run changed.
    void countBytes(long delta);

    /// Ends the run with this failure.
    void fail(MillraceException failure);
}
