package dev.millrace.internal.runtime.wire;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import java.util.List;

/// The inputs of one running task that are not in its worker's store. Used by the task's thread.
public interface TaskInputs extends AutoCloseable {
    /// The rows of an input, as a block that the caller closes.
    ///
    /// @param index among all inputs of the task
    /// @param account of the task
    /// @throws dev.millrace.runtime.BlocksLost if the node that had the block is gone
    Block input(int index, Allocator account);

    /// Bytes that came from other nodes or from files so far, as they are in memory.
    default long fetchedBytes() {
        return 0;
    }

    /// The task has ended.
    @Override
    void close();

    /// Inputs that are all in the message of their task.
    static TaskInputs ofMessage(List<WireInput> inputs) {
        return new TaskInputs() {
            @Override
            public Block input(int index, Allocator account) {
                return switch (inputs.get(index)) {
                    case WireInput.Inline(BlockBytes block) -> block.decode(account);
                    case WireInput.Stored stored ->
                        throw MillraceException.internal("an input is not in the message of its task: " + stored);
                };
            }

            @Override
            public void close() {}
        };
    }
}
