package dev.millrace.internal.runtime.wire;

import dev.millrace.block.BlockMetadata;
import dev.millrace.compute.Resources;
import dev.millrace.runtime.TaskProgress;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The messages between driver and worker. Those about one task, actor, block or program part arrive in order.
/// [WireEncoder] and [WireDecoder] turn them to bytes and back.
public sealed interface WireMessage {
    // From the driver.

    /// A task. The parts of its program were sent before.
    ///
    /// @param actor the actor's id, or -1 for none
    /// @param behind the task after whose end it begins; 0 for none
    record Submit(
            long task,
            long first,
            String operator,
            ShippedProgram program,
            long actor,
            List<WireInput> inputs,
            int credit,
            Resources resources,
            TaskSpec.Stage stage,
            long behind)
            implements WireMessage {}

    record Grant(long task, int blocks) implements WireMessage {}

    record Cancel(long task) implements WireMessage {}

    /// A task that waits behind another begins now.
    record Begin(long task) implements WireMessage {}

    /// A task ends if it has not begun.
    record Recall(long task) implements WireMessage {}

    record StartActor(long actor, String operator, ShippedProgram program, Resources resources, int concurrency)
            implements WireMessage {}

    record StopActor(long actor) implements WireMessage {}

    /// A part that programs refer to by its number.
    record ProgramPart(long number, byte[] bytes) implements WireMessage {}

    /// No later program refers to these parts.
    record ForgetParts(List<Long> numbers) implements WireMessage {}

    /// Nobody needs these blocks any more.
    record ReleaseBlocks(List<Long> numbers) implements WireMessage {}

    /// Another worker of the same driver: blocks of the node are fetched there.
    record NodeJoined(String node, String host, int port) implements WireMessage {}

    /// That worker is gone.
    record NodeLost(String node, String why) implements WireMessage {}

    /// Blocks of shuffles are written to files of this job, in a folder that driver and workers share; answered by
    /// [ShufflesKept]. Before the first task.
    record KeepShuffles(String folder, String job) implements WireMessage {}

    /// Asks where a task is; answered by [Whereabouts].
    record AskWhereabouts(long task) implements WireMessage {}

    // From the worker.

    /// The first message: what the worker has.
    ///
    /// @param blockMemory bytes of blocks and of what tasks allocate
    record Welcome(Resources resources, long blockMemory) implements WireMessage {}

    /// A block of a task.
    ///
    /// @param number in the worker's store; -1 if the block is in the message
    /// @param bytes an Arrow stream; null if the block is in the worker's store
    /// @param file of the job of [KeepShuffles] that has the block, instead of the worker's store
    record Ready(
            long task,
            BlockMetadata metadata,
            long number,
            byte @Nullable [] bytes,
            @Nullable ShardFile file) implements WireMessage {}

    record Paused(long task) implements WireMessage {}

    /// @param failure null when the task finished
    record Ended(long task, byte @Nullable [] failure, boolean workerLost, TaskReport report) implements WireMessage {}

    /// @param failure null when the actor is ready
    record ActorState(long actor, byte @Nullable [] failure, boolean workerLost) implements WireMessage {}

    /// @param text empty if it is not known
    record Whereabouts(long task, String text) implements WireMessage {}

    /// The worker has written a file of its own name to the shared folder.
    ///
    /// @param problem a part of a sentence, why it could not; empty if it could
    record ShufflesKept(String problem) implements WireMessage {}

    /// The worker needs more connections on which it can fetch blocks of the driver.
    record WantLinks(int links) implements WireMessage {}

    // In both directions.

    /// The sender lives. From a worker with what it knows about itself.
    ///
    /// @param cpuNanos of the worker's process; -1 if it is not known
    record Pulse(long cpuNanos, List<Progress> progress) implements WireMessage {}

    /// How far a running task is.
    record Progress(long task, TaskProgress progress) {}

    /// Bytes for another part of the system, under a name: how the driver's code gets to its workers.
    record Attachment(String name, byte[] bytes) implements WireMessage {}

    /// The last message.
    record Bye() implements WireMessage {}
}
