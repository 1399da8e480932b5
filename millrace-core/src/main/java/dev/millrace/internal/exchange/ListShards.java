package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.FixedWidthColumn;

/// The values of a column in their order, in blocks with memory of their own.
///
/// @param name of the aggregate, for errors
record ListShards(String name, String column) implements ShardMaker {
    @Override
    public void make(MapTask task) {
        int rows = 0;
        for (int i = 0; i < task.blocks(); i++) {
            try (Block block = task.block(i)) {
                // Values that can never fit are not written to disk first.
                if (block.column(0) instanceof FixedWidthColumn fixed) {
                    new ListSize(name, column, task.firstRow(), task.firstRow() * fixed.byteWidth())
                            .requireFit(task.allocator());
                }
                int step = ShardWriter.stepFor(block, task.shardBytes());
                for (long from = 0; from < block.rows(); from += step) {
                    task.requireRunning();
                    try (Block piece = block.slice(from, Math.min(step, block.rows() - from))) {
                        task.emit(Blocks.compact(task.allocator(), piece));
                    }
                }
                rows += Math.toIntExact(block.rows());
            }
        }
        task.tell(new MapShards.Counted(new int[] {rows}));
    }
}
