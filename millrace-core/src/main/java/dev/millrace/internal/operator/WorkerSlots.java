package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.internal.stats.PoolUse;
import org.jspecify.annotations.Nullable;

/// Where the tasks of one operator run: plain, each with the operator's resources, or as calls of the actors of a pool.
/// Tracks which of them are at the runtime and which of these are paused, and holds the resources that they need while
/// they compute. Loop thread only.
///
/// An attempt reserves what it needs, is assigned, may be paused and resumed, and leaves.
public sealed interface WorkerSlots permits PlainSlots, ActorPool {
    /// True when one more attempt may run beside those at the runtime.
    boolean hasSlot();

    /// True when that may be a new task: those that wait for another attempt keep their slots, since younger ones may
    /// wait for them.
    default boolean hasSlotForNew() {
        return hasSlot();
    }

    /// The current and the maximum number, as text.
    String describe();

    /// True when more than `waiting` attempts compute, as far as is known: neither paused nor queued behind others.
    boolean isComputing(int waiting);

    /// True when the attempt was computing, as far as is known, when its worker was lost: neither paused nor queued
    /// behind others.
    boolean isAtWork(TaskRun lost);

    /// Acquires what a new attempt needs and a node for it, which [#assign] then uses; false when it is not available
    /// now.
    ///
    /// @param preferred the node that has most of its input; null if that is not known, or there is one node only
    boolean reserve(@Nullable NodeRoom preferred);

    /// Acquires what a paused attempt needs to resume; false when it is not available now.
    boolean reserve(TaskRun paused);

    /// An attempt begins, with what was reserved.
    void assign(TaskRun task);

    /// A task at whose node a new attempt can wait until that one needs its resources no more; null if there is none.
    ///
    /// @param preferred the node that has most of its input, or null
    /// @param only whether it must be there
    default @Nullable TaskRun placeBehind(@Nullable NodeRoom preferred, boolean only) {
        return null;
    }

    /// An attempt is sent to the node of that task, to begin when it has ended or is paused.
    default void assignBehind(TaskRun task, TaskRun ahead) {
        throw new UnsupportedOperationException();
    }

    void paused(TaskRun task);

    void resumed(TaskRun task);

    /// The attempt is about to end.
    void left(TaskRun task);

    /// Gives back the resources of attempts that wait for memory.
    ///
    /// @return whether there were any
    boolean releaseForWaiting();

    /// A paused attempt that blocks `task`; null when none does.
    @Nullable
    TaskRun pausedInFrontOf(TaskRun task);

    /// What the runtime acquires for each attempt itself.
    Resources needPerTask();

    /// Whether tasks run without an actor.
    default boolean isPlain() {
        return false;
    }

    // ---- pools only

    /// Starts and stops workers according to the load; called before each round of scheduling.
    default void tend(long now) {}

    /// When [#tend] must be called even without an event; Long.MAX_VALUE for never.
    default long deadline() {
        return Long.MAX_VALUE;
    }

    /// Stops all workers; when the operator has ended and no attempt is left.
    default void close() {}

    /// Stops an idle worker that keeps resources, to free them.
    ///
    /// @return whether there was one
    default boolean stopIdleHolder() {
        return false;
    }

    /// True when workers were started that are not ready yet.
    default boolean isStarting() {
        return false;
    }

    /// Actors that were started and not stopped.
    default int actors() {
        return 0;
    }

    /// The most that there may be; 0 if there are none.
    default int maxActors() {
        return 0;
    }

    /// How many attempts may be in flight by the user's wish; [Integer#MAX_VALUE] if that is not limited, and for
    /// pools.
    default int maxTasks() {
        return Integer.MAX_VALUE;
    }

    /// Those that accept calls.
    default int readyActors() {
        return 0;
    }

    /// The reason of the last change of their number; empty if there was none.
    default String lastReason() {
        return "";
    }

    /// The number of calls for which input should be prepared.
    default int callsAhead() {
        return 0;
    }

    /// The resources that the first actor will hold; none once it exists.
    default Resources keptByFirst() {
        return Resources.NONE;
    }

    /// How the actors have spent their time by now; null for plain tasks.
    ///
    /// @param shared other runs use the CPUs too, so none are known to be idle
    default @Nullable PoolUse use(boolean shared, long now) {
        return null;
    }
}
