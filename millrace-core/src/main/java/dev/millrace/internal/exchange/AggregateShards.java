package dev.millrace.internal.exchange;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Groups the rows of a bundle before they travel: the shards are keys and states.
public record AggregateShards(GroupedBlocks grouping, int partitions) implements ShardMaker {
    @Override
    public void make(MapTask task) {
        Block states;
        try (Block rows = rows(task)) {
            states = grouping.accumulate(task.allocator(), rows);
        }
        try (states) {
            PartitionShards.write(task, states, new HashPartitioner(grouping.stateKeys(), partitions), 0);
        }
    }

    /// The bundle's rows with the columns that are used.
    private Block rows(MapTask task) {
        Set<String> used = new LinkedHashSet<>(grouping.keys());
        for (Aggregate aggregate : grouping.aggregates()) {
            if (aggregate.column() != null) {
                used.add(aggregate.column());
            }
        }
        List<Block> blocks = new ArrayList<>();
        try {
            for (int i = 0; i < task.blocks(); i++) {
                try (Block block = task.block(i)) {
                    blocks.add(narrow(block, used));
                }
            }
            return Blocks.concatenate(task.allocator(), blocks);
        } finally {
            blocks.forEach(Block::close);
        }
    }

    private static Block narrow(Block block, Set<String> used) {
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < block.schema().size(); i++) {
            if (used.contains(block.schema().field(i).name())) {
                fields.add(block.schema().field(i));
                columns.add(block.column(i));
            }
        }
        return Block.sharing(Schema.of(fields), columns, block.rows());
    }
}
