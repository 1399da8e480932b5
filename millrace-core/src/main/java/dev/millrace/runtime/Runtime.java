package dev.millrace.runtime;

import dev.millrace.block.Block;
import dev.millrace.compute.Resources;
import dev.millrace.stats.GpuStats;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// Runs tasks and actors and stores blocks. The engine decides what runs when, within [#capacity]; a runtime starts
/// what it is given at once. All methods return quickly and may be called from any thread; events go to the consumer
/// given with the task or actor and never after its final event.
public interface Runtime extends AutoCloseable {
    /// Shown in plans and stats.
    String name();

    /// All resources, in use or not.
    Resources capacity();

    /// The machines that tasks may run on now, in the order in which they joined.
    List<Node> nodes();

    /// Tells the listener of the nodes that there are, before this returns, and of all that join and are lost later, in
    /// order, from any thread; it must be cheap. It hears of a lost node before the tasks and actors there send their
    /// final events, so that nothing more is sent there. A runtime whose nodes never change needs none of its own.
    default void watchNodes(Consumer<NodeEvent> listener) {
        nodes().forEach(node -> listener.accept(new NodeEvent.Joined(node)));
    }

    /// What gets more nodes; empty where their number is not the runtime's to change.
    default Optional<NodeSupply> supply() {
        return Optional.empty();
    }

    /// CPU time, in nanoseconds, that its workers have used so far, in their own threads and in those of libraries;
    /// empty if that is not known.
    default OptionalLong cpuNanos() {
        return OptionalLong.empty();
    }

    /// The GPUs that its actors have, or had when there were such at last; empty if that is not known.
    default List<GpuStats> gpus() {
        return List.of();
    }

    /// Bytes of blocks that were spilled to disk so far; 0 where that is not known.
    default long spilledBytes() {
        return 0;
    }

    /// True if programs and blocks are shipped as bytes: functions must be serialisable.
    boolean shipsPrograms();

    /// True if blocks are lost with the node that has them ([BlockRef#node]); blocks without a node never are: asides,
    /// small blocks and those of [#put] are kept in the caller's process. A session wraps such a runtime by one that
    /// makes lost blocks again, so the engine sees no loss but that of running tasks ([BlocksLost]). The references of
    /// lost blocks stay valid, and are released as any other.
    default boolean mayLoseBlocks() {
        return false;
    }

    /// False if its nodes may see other local files than this process: then the session compares those that a run
    /// needs, before it begins.
    default boolean sharesFiles() {
        return true;
    }

    /// Runs a task when it can. Events may come from any thread, in the task's order; the last is that it finished,
    /// failed or was lost.
    void submit(TaskSpec task, Consumer<TaskEvent> events);

    /// Lets a task emit this many more blocks.
    void grant(long task, int blocks);

    /// Asks a task to end; it still sends its final event ([TaskEvent.Failed] with [dev.millrace.error.TaskCancelled],
    /// unless it finished before). Interrupts the program if it sleeps or waits.
    void cancel(long task);

    /// True if a task may be sent to its node before there is room for it ([TaskSpec#behind]): it begins there when the
    /// one in front of it has ended, without a round trip to the caller.
    default boolean queuesTasks() {
        return false;
    }

    /// Lets a task begin that waits behind another; does nothing if it has begun.
    default void begin(long task) {}

    /// Takes a task back that waits behind another: it ends as if it had been cancelled. Does nothing if it has begun.
    default void recall(long task) {}

    /// Where a task is that does not end, as text: its thread, its place in the code. Empty if that is not known.
    default Optional<String> whereabouts(long task) {
        return Optional.empty();
    }

    /// How far a running task is. Empty where that is not known, and of tasks that do not run.
    default Optional<TaskProgress> progress(long task) {
        return Optional.empty();
    }

    /// Starts an actor; an event says when it is ready, or why it is not.
    ActorRef startActor(ActorSpec actor, Consumer<TaskEvent> events);

    /// Ends an actor after the calls it was given; later ones fail. Does not block.
    void stopActor(ActorRef actor);

    /// Puts a block into the store; the store owns it from here.
    BlockRef put(Block block);

    /// The rows of a slice as a block in this process, which the caller closes. The slice keeps its reference.
    ///
    /// @throws BlocksLost if the block is lost, on a runtime that [may lose blocks][#mayLoseBlocks]
    Block get(BlockSlice slice);

    /// Ends all work and frees the store. Nothing may be running.
    @Override
    void close();

    /// One machine or process that runs tasks.
    ///
    /// @param name unique within the runtime's life
    /// @param resources all that it has, in use or not
    /// @param blockMemory bytes of blocks and of what tasks allocate that it holds before it spills or lets tasks wait;
    ///     0 if that is not known, or if it has no memory of its own
    record Node(String name, Resources resources, long blockMemory) {}
}
