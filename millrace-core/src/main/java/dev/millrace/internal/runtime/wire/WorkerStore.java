package dev.millrace.internal.runtime.wire;

import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the blocks of a worker's tasks come from and go to. Thread-safe.
public interface WorkerStore {
    /// The account of a task that begins; [#ended] is called once for it.
    Allocator account(WireMessage.Submit task);

    /// A task has ended and used the account no more.
    void ended(WireMessage.Submit task, Allocator account);

    /// The rows of a block that this worker has, which the driver keeps until the task has ended; null if it has not.
    @Nullable
    BlockSlice local(WireInput input);

    /// The inputs of a task that begins; those that are [#local] are not asked for.
    TaskInputs open(List<WireInput> inputs);

    /// Takes over the reference to a block that a task has made. Called by the task's thread.
    WireMessage.Ready ready(WireMessage.Submit task, BlockRef made, Allocator account);
}
