package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.internal.kernel.aggregate.PivotedBlocks;

/// Groups the rows of a bundle by keys and pivot column; the groups are partitioned by their keys alone, so that all
/// groups of one key are in the same partition.
public record PivotShards(PivotedBlocks pivot, int partitions) implements ShardMaker {
    @Override
    public void make(MapTask task) {
        GroupedBlocks grouping = pivot.grouping();
        Block states;
        try (Block rows = task.all()) {
            states = grouping.accumulate(task.allocator(), rows);
        }
        try (states) {
            HashPartitioner byKeys = new HashPartitioner(
                    grouping.stateKeys().subList(0, pivot.keys().size()), partitions);
            PartitionShards.write(task, states, byKeys, 0);
        }
    }
}
