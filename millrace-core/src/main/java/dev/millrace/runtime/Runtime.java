package dev.millrace.runtime;

import dev.millrace.block.Block;
import dev.millrace.compute.Resources;
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

    /// The machines that tasks may run on.
    List<Node> nodes();

    /// CPU time, in nanoseconds, that its workers have used so far, in their own threads and in those of libraries;
    /// empty if that is not known.
    default OptionalLong cpuNanos() {
        return OptionalLong.empty();
    }

    /// True if programs and blocks are shipped as bytes: functions must be serialisable.
    boolean shipsPrograms();

    /// Runs a task when it can. Events may come from any thread, in the task's order; the last is that it finished,
    /// failed or was lost.
    void submit(TaskSpec task, Consumer<TaskEvent> events);

    /// Lets a task emit this many more blocks.
    void grant(long task, int blocks);

    /// Asks a task to end; it still sends its final event ([TaskEvent.Failed] with [dev.millrace.error.TaskCancelled],
    /// unless it finished before). Interrupts the program if it sleeps or waits.
    void cancel(long task);

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
    Block get(BlockSlice slice);

    /// Ends all work and frees the store. Nothing may be running.
    @Override
    void close();

    /// One machine or process that runs tasks.
    record Node(String name, Resources resources) {}
}
