package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.runtime.TaskContext;
import java.io.Serializable;
import java.util.function.Consumer;

/// Produces the input blocks of a chain if they are neither read nor the task's inputs.
@FunctionalInterface
public interface BlockMaker extends Serializable {
    /// @param out takes each block over
    void make(TaskContext context, Consumer<Block> out) throws Exception;
}
