package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.kernel.sort.TopRows;
import dev.millrace.relation.SortKey;
import java.util.ArrayList;
import java.util.List;

/// Top-N: the rows that come first in sorted order. Runs are read a few at a time; rows that cannot be among the first
/// are released.
public record TopReducer(List<SortKey> keys, int rows) implements ShuffleReducer {
    public TopReducer {
        keys = List.copyOf(keys);
    }

    @Override
    public void reduce(ReduceTask task) {
        List<Block> held = new ArrayList<>();
        try {
            for (int run = 0; run < task.runs(0); run++) {
                for (int i = 0; i < task.blocks(0, run); i++) {
                    held.add(task.block(0, run, i));
                }
                if (held.stream().mapToLong(Block::rows).sum() >= 4L * rows) {
                    choose(task, held);
                }
            }
            if (!held.isEmpty()) {
                choose(task, held);
                task.emit(held.removeFirst());
            }
        } finally {
            held.forEach(Block::close);
        }
    }

    /// Keeps the first of them, in order.
    private void choose(ReduceTask task, List<Block> held) {
        try (Block all = Blocks.concatenate(task.allocator(), held)) {
            held.forEach(Block::close);
            held.clear();
            held.add(TopRows.of(task.allocator(), all, keys, rows));
        }
    }
}
