package dev.millrace.internal.exchange;

import dev.millrace.block.Block;

/// All rows of a part in one block, in the order of the map tasks.
public record ConcatenateReducer() implements ShuffleReducer {
    @Override
    public void reduce(ReduceTask task) {
        Block all = task.all(0);
        if (all != null) {
            task.emit(all);
        }
    }
}
