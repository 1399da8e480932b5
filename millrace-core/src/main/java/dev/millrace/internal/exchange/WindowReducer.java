package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.BlockShaper;
import dev.millrace.internal.kernel.window.WindowBlocks;

/// Computes window functions of the rows of each partition of the exchange, which hold all rows of their windows'
/// partitions. One of them at a time is in memory.
public record WindowReducer(WindowBlocks windows) implements Reducer {
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
                    shaper.add(windows.compute(task.allocator(), rows));
                }
                task.pass(shaper);
            }
            shaper.finish();
            task.pass(shaper);
        }
    }
}
