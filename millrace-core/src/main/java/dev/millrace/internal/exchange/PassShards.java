package dev.millrace.internal.exchange;

import dev.millrace.block.Block;

/// Passes the blocks of a bundle on unchanged.
record PassShards() implements ShardMaker {
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
