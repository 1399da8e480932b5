package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.internal.kernel.aggregate.FirstRows;
import java.util.List;

/// Keeps the first row of every key, partition by partition.
///
/// @param keys none: all columns
public record DistinctReducer(List<String> keys) implements ShuffleReducer {
    public DistinctReducer {
        keys = List.copyOf(keys);
    }

    @Override
    public void reduce(ReduceTask task) {
        try (BlockShaper shaper = BlockShaper.toBytes(task.allocator(), task.targetBytes());
                PartitionFeed feed = task.partitionsOf(0)) {
            for (int i = 0; i < task.partitions(); i++) {
                task.requireRunning();
                try (Block rows = feed.next()) {
                    if (rows == null) {
                        continue;
                    }
                    int[] first = FirstRows.of(task.allocator(), rows, DistinctShards.keys(keys, rows));
                    shaper.add(Blocks.take(task.allocator(), rows, first, first.length));
                }
                task.pass(shaper);
            }
            shaper.finish();
            task.pass(shaper);
        }
    }
}
