package dev.millrace.internal.exchange;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.kernel.aggregate.RowGroups;
import dev.millrace.internal.transform.UserCode;
import java.util.ArrayList;
import java.util.List;

/// Calls a user's function with the rows of each group, partition by partition.
///
/// @param name of the function in errors
public record GroupsReducer(List<String> keys, String name, BatchFunction function) implements ShuffleReducer {
    public GroupsReducer {
        keys = List.copyOf(keys);
    }

    @Override
    public void reduce(ReduceTask task) {
        List<Block> results = new ArrayList<>();
        try (PartitionFeed feed = task.partitionsOf(0)) {
            long bytes = 0;
            for (int i = 0; i < task.partitions(); i++) {
                try (Block rows = feed.next()) {
                    if (rows == null) {
                        continue;
                    }
                    try (RowGroups groups = RowGroups.of(task.allocator(), rows, keys)) {
                        for (int group = 0; group < groups.groups(); group++) {
                            task.requireRunning();
                            int[] positions = groups.rowsOf(group);
                            Block result = call(task, rows, positions);
                            results.add(result);
                            bytes += result.sizeBytes();
                            if (bytes >= task.targetBytes()) {
                                emit(task, results);
                                bytes = 0;
                            }
                        }
                    }
                }
            }
            emit(task, results);
        } finally {
            results.forEach(Block::close);
        }
    }

    private Block call(ReduceTask task, Block rows, int[] positions) {
        String where = "the group of " + key(rows, positions[0]);
        try (BatchScope scope = new BatchScope(name, task.allocator())) {
            Batch batch = scope.adopt(Blocks.take(task.allocator(), rows, positions, positions.length));
            Batch returned;
            try {
                returned = function.apply(batch);
            } catch (Throwable e) {
                throw UserCode.failed(name, where, e);
            }
            check(returned, where);
            return scope.toBlock(returned);
        }
    }

    private void check(Batch returned, String where) {
        if (returned == null) {
            throw MillraceException.user(
                    name + " returned null for " + where + ". Return a batch; one without rows is batch.slice(0, 0).");
        }
        for (String column : returned.columns()) {
            if (returned.lengthOf(column) != returned.rows()) {
                throw MillraceException.user(name + " returned " + returned.rows() + " rows in column '"
                        + returned.columns().getFirst() + "' and " + returned.lengthOf(column) + " in '" + column
                        + "' for " + where + ". Return columns of equal length.");
            }
        }
    }

    private String key(Block rows, int row) {
        List<String> values = new ArrayList<>();
        keys.forEach(key -> values.add(key + " " + rows.column(key).value(row)));
        return String.join(", ", values);
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
