package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.aggregate.SpreadDistinct;
import java.util.ArrayList;
import java.util.List;

/// Groups the rows of a bundle by buckets of the column whose different values are counted: the shards are the states of
/// buckets. Rows are grouped in pieces, since grouping takes several times the memory of its rows.
public record SpreadShards(SpreadDistinct spread, int partitions) implements ShardMaker {
    /// What a bucket is called in a block of states.
    private static final String BUCKET = "key 0";

    private static final int PIECE_ROWS = 1 << 16;

    @Override
    public void make(MapTask task) {
        List<Block> states = new ArrayList<>();
        try {
            for (int i = 0; i < task.blocks(); i++) {
                try (Block block = task.block(i);
                        Block rows = spread.narrow(block)) {
                    accumulate(task, rows, states);
                }
            }
        } catch (RuntimeException | Error e) {
            states.forEach(Block::close);
            throw e;
        }
        try (BundleRows all = BundleRows.of(task.allocator(), states)) {
            PartitionShards.write(task, all, new HashPartitioner(List.of(BUCKET), partitions), 0);
        }
    }

    private void accumulate(MapTask task, Block rows, List<Block> states) {
        Partitioner buckets = new HashPartitioner(List.of(spread.column()), partitions);
        long from = 0;
        do {
            task.requireRunning();
            try (Block piece = rows.slice(from, Math.min(PIECE_ROWS, rows.rows() - from))) {
                states.add(spread.accumulate(
                        task.allocator(), piece, assigned -> buckets.assign(piece, 0, assigned)));
            }
            from += PIECE_ROWS;
        } while (from < rows.rows());
    }
}
