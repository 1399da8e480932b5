package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.kernel.aggregate.GroupRun;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import java.util.ArrayList;
import java.util.List;

/// Partial aggregation: groups the rows of a bundle before the shuffle, so that the shards are keys and states.
///
/// @param grouped whether the bundle already contains states, of the tasks that produced the rows
/// @param isAll whether the bundle is the whole input: few states then need no partitions
public record AggregateShards(GroupedBlocks grouping, int partitions, boolean grouped, boolean isAll)
        implements ShardMaker {
    /// States of more bytes are distributed over several reduce tasks.
    private static final long FEW_BYTES = 1L << 20;
    /// Merging reduces states: the more are merged at a time, the fewer are left.
    private static final int BUNDLES = 2;

    public AggregateShards(GroupedBlocks grouping, int partitions, boolean grouped) {
        this(grouping, partitions, grouped, false);
    }

    @Override
    public ShardMaker ofAll() {
        return new AggregateShards(grouping, partitions, grouped, true);
    }

    @Override
    public int bundles() {
        return grouped ? BUNDLES : 1;
    }

    @Override
    public void make(MapTask task) throws Exception {
        try (Block states = grouped ? merged(task) : accumulated(task)) {
            if (isAll && states.sizeBytes() <= FEW_BYTES && states.rows() <= GroupedBlocks.SURELY_MERGED) {
                task.emit(states.retain());
                task.tell(new MapShards.Whole(grouped));
            } else {
                PartitionShards.write(task, states, new HashPartitioner(grouping.stateKeys(), partitions), 0);
            }
        }
    }

    private Block merged(MapTask task) {
        List<Block> states = task.open();
        try {
            return grouping.merge(task.allocator(), states);
        } finally {
            states.forEach(Block::close);
        }
    }

    private Block accumulated(MapTask task) throws Exception {
        try (Block first = task.block(0)) {
            if (!GroupRun.isFor(grouping, first.schema())) {
                return together(task);
            }
        }
        List<Block> states = new ArrayList<>();
        try (GroupRun run = new GroupRun(task.allocator(), grouping, Long.MAX_VALUE)) {
            for (int i = 0; i < task.blocks(); i++) {
                try (Block rows = task.block(i)) {
                    run.add(rows, states::add);
                }
            }
            run.flush(states::add);
            return Blocks.concatenate(task.allocator(), states);
        } finally {
            states.forEach(Block::close);
        }
    }

    /// For keys and aggregates that need all rows in one block.
    private Block together(MapTask task) {
        List<Block> blocks = new ArrayList<>();
        try {
            for (int i = 0; i < task.blocks(); i++) {
                try (Block block = task.block(i)) {
                    blocks.add(grouping.narrow(block));
                }
            }
            try (Block rows = Blocks.concatenate(task.allocator(), blocks)) {
                return grouping.accumulate(task.allocator(), rows);
            }
        } finally {
            blocks.forEach(Block::close);
        }
    }
}
