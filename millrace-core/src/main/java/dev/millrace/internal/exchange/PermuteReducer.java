package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.internal.kernel.hash.HashMix;
import java.util.SplittableRandom;

/// Permutes the rows of each partition randomly, determined by the seed and the partition, independently of how
/// partitions are combined into parts.
public record PermuteReducer(long seed) implements ShuffleReducer {
    @Override
    public void reduce(ReduceTask task) {
        try (BlockShaper shaper = BlockShaper.toBytes(task.allocator(), task.targetBytes());
                PartitionFeed feed = task.partitionsOf(0)) {
            boolean empty = true;
            for (int i = 0; i < task.partitions(); i++) {
                task.requireRunning();
                Block rows = feed.next();
                if (rows != null) {
                    empty = false;
                    try (rows) {
                        shaper.add(permuted(task, rows, task.firstPartition() + i));
                    }
                    task.pass(shaper);
                }
            }
            shaper.finish();
            task.pass(shaper);
            if (empty && task.runs(0) > 0) {
                Block none = task.all(0);
                if (none != null) {
                    task.emit(none);
                }
            }
        }
    }

    private Block permuted(ReduceTask task, Block block, int partition) {
        int rows = Math.toIntExact(block.rows());
        SplittableRandom random = new SplittableRandom(HashMix.and(HashMix.of(seed), partition));
        int[] order = new int[rows];
        for (int i = 0; i < rows; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return Blocks.take(task.allocator(), block, order, rows);
    }
}
