package dev.millrace.internal.runtime.wire;

import org.jspecify.annotations.Nullable;

/// An input of a task, for its worker.
public sealed interface WireInput {
    /// The rows are in the message.
    record Inline(BlockBytes block) implements WireInput {}

    /// Rows of a block in a store.
    ///
    /// @param node that has the block; empty: the driver
    /// @param number of the block in that store
    /// @param shared several tasks of this worker want the block: it is worth keeping until it is released
    /// @param file has the block, in the folder of shuffle data, instead of the node's store
    record Stored(
            String node,
            long number,
            long from,
            long rows,
            boolean shared,
            @Nullable ShardFile file) implements WireInput {}
}
