package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.kernel.aggregate.SpreadDistinct;
import java.util.ArrayList;
import java.util.List;

/// Counts the different values of each bucket, partition by partition: what leaves are states of all rows, small ones.
public record SpreadReducer(SpreadDistinct spread) implements Reducer {
    @Override
    public void reduce(ReduceTask task) {
        List<Block> counts = new ArrayList<>();
        try (PartitionFeed feed = task.partitionsOf(0)) {
            for (int i = 0; i < task.partitions(); i++) {
                try (Block states = feed.next()) {
                    if (states != null && states.rows() > 0) {
                        counts.add(spread.counts(task.allocator(), states));
                    }
                }
            }
            if (!counts.isEmpty()) {
                task.emit(Blocks.concatenate(task.allocator(), counts));
            }
        } finally {
            counts.forEach(Block::close);
        }
    }
}
