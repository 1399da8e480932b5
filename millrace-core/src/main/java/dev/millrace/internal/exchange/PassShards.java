package dev.millrace.internal.exchange;

import dev.millrace.block.Block;

/// Hands on the blocks of a bundle as they are.
public record PassShards() implements ShardMaker {
    @Override
    public void make(MapTask task) {
        int rows = 0;
        for (int i = 0; i < task.blocks(); i++) {
            Block block = task.block(i);
            rows += Math.toIntExact(block.rows());
            task.emit(block);
        }
        task.tell(new MapShards.Counted(new int[] {rows}));
    }
}
