package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.internal.kernel.aggregate.SpreadDistinct;
import java.util.ArrayList;
import java.util.List;

/// Groups the rows of a bundle by buckets of the columns whose different values are counted: the shards are the values
/// of
/// buckets, and the states of the other aggregates. Rows are grouped in pieces, since grouping takes several times the
/// memory of its rows.
public record SpreadShards(SpreadDistinct spread, int partitions) implements ShardMaker {
    private static final int PIECE_ROWS = 1 << 16;

    @Override
    public void make(MapTask task) {
        GroupedBlocks others = spread.others();
        int counted = spread.columns().size();
        int parts = counted + (others.aggregates().isEmpty() ? 0 : 1);
        List<List<Block>> pieces = new ArrayList<>();
        for (int p = 0; p < parts; p++) {
            pieces.add(new ArrayList<>());
        }
        List<Block> whole = new ArrayList<>();
        try {
            for (int i = 0; i < task.blocks(); i++) {
                try (Block block = task.block(i);
                        Block rows = spread.narrow(block)) {
                    accumulate(task, rows, others, pieces);
                }
            }
            List<Boolean> numbered = new ArrayList<>();
            for (int p = 0; p < parts; p++) {
                List<Block> of = pieces.get(p);
                whole.add(p < counted ? Blocks.concatenate(task.allocator(), of) : others.merge(task.allocator(), of));
                of.forEach(Block::close);
                of.clear();
                numbered.add(p < counted);
            }
            try (BundleRows all = BundleRows.of(
                    task.allocator(), SpreadStates.together(task.allocator(), whole, numbered, partitions))) {
                whole.forEach(Block::close);
                whole.clear();
                PartitionShards.write(task, all, new HashPartitioner(List.of(SpreadStates.KEY), partitions), 0);
            }
        } finally {
            pieces.forEach(of -> of.forEach(Block::close));
            whole.forEach(Block::close);
        }
    }

    private void accumulate(MapTask task, Block rows, GroupedBlocks others, List<List<Block>> pieces) {
        List<String> columns = spread.columns();
        long from = 0;
        do {
            task.requireRunning();
            try (Block piece = rows.slice(from, Math.min(PIECE_ROWS, rows.rows() - from))) {
                for (int i = 0; i < columns.size(); i++) {
                    Partitioner buckets = new HashPartitioner(List.of(columns.get(i)), partitions);
                    pieces.get(i)
                            .add(SpreadDistinct.values(
                                    task.allocator(),
                                    piece,
                                    columns.get(i),
                                    assigned -> buckets.assign(piece, 0, assigned)));
                }
                if (pieces.size() > columns.size()) {
                    pieces.getLast().add(others.accumulate(task.allocator(), piece));
                }
            }
            from += PIECE_ROWS;
        } while (from < rows.rows());
    }
}
