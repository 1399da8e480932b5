package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.aggregate.FirstRows;
import java.util.List;

/// Shuffles the first row of every key of a bundle, or all rows if keys hardly repeat.
///
/// @param keys none: all columns
/// @param partitioner by the same keys
public record DistinctShards(List<String> keys, ShufflePartitioner partitioner) implements ShardMaker {
    public DistinctShards {
        keys = List.copyOf(keys);
    }

    @Override
    public void make(MapTask task) {
        try (Block rows = task.all()) {
            int[] first = FirstRows.ifRepeated(task.allocator(), rows, keys(keys, rows));
            if (first == null || first.length == rows.rows()) {
                PartitionShards.write(task, rows, partitioner, task.firstRow());
                return;
            }
            try (Block different = Blocks.take(task.allocator(), rows, first, first.length)) {
                PartitionShards.write(task, different, partitioner, task.firstRow());
            }
        }
    }

    static List<String> keys(List<String> keys, Block rows) {
        List<String> used = keys.isEmpty() ? rows.schema().names() : keys;
        if (used.isEmpty()) {
            throw MillraceException.user("distinct: the rows have no columns that could differ.");
        }
        return used;
    }
}
