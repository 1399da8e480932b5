package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.sort.TopRun;
import dev.millrace.relation.SortKey;
import java.util.List;
import java.util.Objects;

/// Top-N before the shuffle: only those rows of a bundle are shuffled that come first in sorted order.
public record TopShards(List<SortKey> keys, int rows) implements ShardMaker {
    public TopShards {
        keys = List.copyOf(keys);
    }

    @Override
    public void make(MapTask task) {
        try (TopRun run = new TopRun(task.allocator(), keys, rows)) {
            for (int i = 0; i < task.blocks(); i++) {
                try (Block block = task.block(i)) {
                    run.add(block);
                }
            }
            Block top = Objects.requireNonNull(run.finish(), "a bundle has blocks");
            int count = Math.toIntExact(top.rows());
            task.emit(top);
            task.tell(new MapShards.Counted(new int[] {count}));
        }
    }
}
