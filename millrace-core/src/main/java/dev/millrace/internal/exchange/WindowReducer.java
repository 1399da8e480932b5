package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.internal.kernel.window.WindowBlocks;

/// Computes window functions over the rows of each partition of the exchange, which contains all rows of its window
/// partitions. One of them at a time is in memory; [LargeWindow] processes those that are too large for that.
public record WindowReducer(WindowBlocks windows) implements ShuffleReducer {
    @Override
    public void reduce(ReduceTask task) {
        try (BlockShaper shaper = BlockShaper.toBytes(task.allocator(), task.targetBytes())) {
            if (!LargeWindow.reduce(task, windows, shaper)) {
                eachPartition(task, shaper);
            }
            shaper.finish();
            task.pass(shaper);
        }
    }

    private void eachPartition(ReduceTask task, BlockShaper shaper) {
        try (PartitionFeed feed = task.partitionsOf(0)) {
            for (int i = 0; i < task.partitions(); i++) {
                task.requireRunning();
                try (Block rows = feed.next()) {
                    if (rows == null) {
                        continue;
                    }
                    windows.compute(task.allocator(), rows, piece -> {
                        shaper.add(piece);
                        task.pass(shaper);
                    });
                }
            }
        } catch (MillraceException e) {
            if (e.culprit() != Culprit.RESOURCES || !windows.window().keys().isEmpty()) {
                throw e;
            }
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "window: all " + task.rows(0) + " rows are one partition, which does not fit into memory, and "
                            + LargeWindow.needAll(windows.functions())
                            + " give the session more memory, or partition by some columns. " + e.getMessage(),
                    e);
        }
    }
}
