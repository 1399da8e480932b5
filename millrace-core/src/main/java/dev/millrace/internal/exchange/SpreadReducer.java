package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.internal.kernel.aggregate.SpreadDistinct;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Counts the different values of buckets, partition by partition. What leaves is small: a row of counts, and the
/// states
/// of the other aggregates.
///
/// @param partitions as the shards have them
public record SpreadReducer(SpreadDistinct spread, int partitions) implements Reducer {
    @Override
    public void reduce(ReduceTask task) {
        int counted = spread.columns().size();
        long[] counts = new long[counted];
        List<Block> states = new ArrayList<>();
        List<Block> made = new ArrayList<>();
        try (PartitionFeed feed = task.partitionsOf(0)) {
            for (int i = 0; i < task.partitions(); i++) {
                try (Block together = feed.next()) {
                    if (together != null && together.rows() > 0) {
                        count(task, together, counts, states);
                    }
                }
            }
            if (states.isEmpty()) {
                return;
            }
            try (Block ofCounts = counts(task, counts);
                    Block all = Blocks.concatenate(task.allocator(), states)) {
                made.addAll(SpreadStates.together(task.allocator(), List.of(ofCounts, all), List.of(false, false), 1));
                made.forEach(block -> task.emit(block.retain()));
            }
        } finally {
            states.forEach(Block::close);
            made.forEach(Block::close);
        }
    }

    private void count(ReduceTask task, Block together, long[] counts, List<Block> states) {
        for (int c = 0; c < counts.length; c++) {
            try (Block values = SpreadStates.part(task.allocator(), together, c, true, 1 + c, 1, partitions)) {
                counts[c] += SpreadDistinct.count(
                        task.allocator(), values, spread.columns().get(c));
            }
        }
        int begin = 1 + counts.length;
        states.add(SpreadStates.part(
                task.allocator(),
                together,
                counts.length,
                false,
                begin,
                together.schema().size() - begin,
                partitions));
    }

    private static Block counts(ReduceTask task, long[] counts) {
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            fields.add(new Field("count " + i, DataType.INT64));
            columns.add(Columns.ofLongs(task.allocator(), counts[i]));
        }
        return Block.of(Schema.of(fields), columns, 1);
    }
}
