package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.internal.stats.PoolUse;

/// Where the tasks of one operator run: plain, each with the operator's resources, or as calls of the actors of a pool.
/// Knows which of them are at the runtime and which of these are paused, and has what they need while they compute.
/// Loop thread only.
///
/// An attempt reserves what it needs, is assigned, may be paused and resumed, and leaves.
public sealed interface WorkerSlots permits PlainSlots, ActorPool {
    /// True when one more attempt may run beside those at the runtime.
    boolean hasSlot();

    /// How many there are and how many there may be, as words.
    String describe();

    /// True when more than `waiting` attempts compute, as far as is known: not paused, nor queued behind others.
    boolean isComputing(int waiting);

    /// Takes what a new attempt needs, which [#assign] then uses; false when it is not there now.
    boolean reserve();

    /// Takes what a paused attempt needs to go on; false when it is not there now.
    boolean reserve(TaskRun paused);

    /// An attempt begins, with what was reserved.
    void assign(TaskRun task);

    void paused(TaskRun task);

    void resumed(TaskRun task);

    /// The attempt is about to be over.
    void left(TaskRun task);

    /// Gives back what belongs to attempts that wait for memory.
    ///
    /// @return whether there was something
    boolean lendOfWaiting();

    /// A paused attempt that keeps `task` from being run; null when none does.
    TaskRun pausedInFrontOf(TaskRun task);

    /// What the runtime takes for each attempt by itself.
    Resources needPerTask();

    // ---- what only pools have

    /// Starts and stops workers as the load wants it; called before each round of scheduling.
    default void tend(long now) {}

    /// When [#tend] is wanted even if nothing happens; Long.MAX_VALUE for never.
    default long deadline() {
        return Long.MAX_VALUE;
    }

    /// Stops all workers; when the operator has ended and no attempt is left.
    default void close() {}

    /// True when workers were started that are not ready yet.
    default boolean isStarting() {
        return false;
    }

    /// Actors that were started and not stopped.
    default int actors() {
        return 0;
    }

    /// Calls that are worth being made ready.
    default int callsAhead() {
        return 0;
    }

    /// What the first actor will keep; nothing once it is there.
    default Resources keptByFirst() {
        return Resources.NONE;
    }

    /// How the actors have spent their time by now; null for plain tasks.
    ///
    /// @param shared other runs use the CPUs too, so none are known to be idle
    default PoolUse use(boolean shared, long now) {
        return null;
    }
}
