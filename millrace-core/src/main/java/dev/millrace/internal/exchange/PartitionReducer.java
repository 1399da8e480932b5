package dev.millrace.internal.exchange;

import dev.millrace.block.Block;

/// Whole partitions: all rows whose keys have the same hash are in one block, in the order of the map tasks. Each
/// partition is a block if steps follow in this task, so that few rows are in memory at once; otherwise all partitions
/// of the part are one block, so that small ones do not become many blocks.
public record PartitionReducer() implements ShuffleReducer {
    @Override
    public void reduce(ReduceTask task) {
        if (!task.isChained()) {
            new ConcatenateReducer().reduce(task);
            return;
        }
        try (PartitionFeed feed = task.partitionsOf(0)) {
            for (int i = 0; i < task.partitions(); i++) {
                task.requireRunning();
                Block rows = feed.next();
                if (rows != null) {
                    task.emit(rows);
                }
            }
        }
    }
}
