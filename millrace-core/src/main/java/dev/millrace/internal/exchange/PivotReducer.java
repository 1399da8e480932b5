package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.internal.kernel.aggregate.PivotedBlocks;

/// Merges the groups of each key and puts them side by side, partition by partition.
public record PivotReducer(PivotedBlocks pivot) implements ShuffleReducer {
    @Override
    public void reduce(ReduceTask task) {
        try (BlockShaper shaper = BlockShaper.toBytes(task.allocator(), task.targetBytes());
                PartitionFeed feed = task.partitionsOf(0)) {
            for (int i = 0; i < task.partitions(); i++) {
                task.requireRunning();
                try (Block states = feed.next()) {
                    if (states == null) {
                        continue;
                    }
                    try (Block grouped = pivot.grouping().finish(task.allocator(), states)) {
                        shaper.add(pivot.pivot(task.allocator(), grouped));
                    }
                }
                task.pass(shaper);
            }
            shaper.finish();
            task.pass(shaper);
        }
    }
}
