package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.expression.SortKey;
import dev.millrace.internal.kernel.sort.SortKeys;
import dev.millrace.internal.kernel.sort.TopRows;
import java.util.ArrayList;
import java.util.List;

/// Of the rows of a bundle only those travel that come first in sorted order.
public record TopShards(List<SortKey> keys, int rows) implements ShardMaker {
    public TopShards {
        keys = List.copyOf(keys);
    }

    @Override
    public void make(MapTask task) {
        List<Block> best = new ArrayList<>();
        try {
            for (int i = 0; i < task.blocks(); i++) {
                try (Block block = task.block(i)) {
                    SortKeys.check(keys, block.schema(), "sort");
                    best.add(TopRows.of(task.allocator(), block, keys, rows));
                }
            }
            Block top;
            try (Block all = Blocks.concatenate(task.allocator(), best)) {
                top = TopRows.of(task.allocator(), all, keys, rows);
            }
            int count = Math.toIntExact(top.rows());
            task.emit(top);
            task.tell(new Shards.Counted(new int[] {count}));
        } finally {
            best.forEach(Block::close);
        }
    }
}
