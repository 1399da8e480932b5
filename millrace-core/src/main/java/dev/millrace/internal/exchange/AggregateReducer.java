package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Final aggregation: merges the partial states of each group and computes the results. Large inputs are processed
/// partition by partition, so that the groups that are looked up stay in cache.
///
/// @param input the columns of the rows, null if they are not known: needed for a result over no rows
public record AggregateReducer(
        GroupedBlocks grouping, @Nullable Schema input) implements ShuffleReducer {
    private static final long SMALL_ROWS = 1 << 15;

    @Override
    public void reduce(ReduceTask task) {
        if (task.rows(0) <= SMALL_ROWS || task.partitions() == 1) {
            try (Block states = task.all(0)) {
                if (grouping.keys().isEmpty() && (states == null || states.rows() == 0)) {
                    task.emit(grouping.ofNothing(task.allocator(), input));
                } else if (states != null) {
                    boolean isMerged = task.argument() instanceof MapShards.Whole whole && whole.distinct();
                    task.emit(
                            isMerged
                                    ? grouping.result(task.allocator(), states)
                                    : grouping.finish(task.allocator(), states));
                }
            }
            return;
        }
        List<Block> results = new ArrayList<>();
        try (PartitionFeed feed = task.partitionsOf(0)) {
            long bytes = 0;
            for (int i = 0; i < task.partitions(); i++) {
                try (Block states = feed.next()) {
                    if (states == null) {
                        continue;
                    }
                    Block result = grouping.finish(task.allocator(), states);
                    results.add(result);
                    bytes += result.sizeBytes();
                }
                if (bytes >= task.targetBytes()) {
                    emit(task, results);
                    bytes = 0;
                }
            }
            emit(task, results);
        } finally {
            results.forEach(Block::close);
        }
    }

    @Override
    public boolean makesRowsOfNothing() {
        return grouping.keys().isEmpty();
    }

    private static void emit(ReduceTask task, List<Block> results) {
        if (!results.isEmpty()) {
            Block all = Blocks.concatenate(task.allocator(), results);
            results.forEach(Block::close);
            results.clear();
            task.emit(all);
        }
    }
}
