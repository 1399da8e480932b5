package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import java.util.ArrayList;
import java.util.List;

/// Mixes rows of several inputs, which are its sides.
///
/// @param first for each input, the number of its first row here
public record MixReducer(MixOrder mix, long[] first) implements ShuffleReducer {
    @Override
    public void reduce(ReduceTask task) {
        List<Block> sides = new ArrayList<>();
        try {
            int[] rows = new int[mix.inputs()];
            for (int side = 0; side < rows.length; side++) {
                Block all = task.all(side);
                if (all != null) {
                    sides.add(all);
                    rows[side] = Math.toIntExact(all.rows());
                }
            }
            int[] order = mix.order(first, rows);
            Block mixed;
            try (Block all = Blocks.concatenate(task.allocator(), sides)) {
                sides.forEach(Block::close);
                sides.clear();
                mixed = Blocks.take(task.allocator(), all, order, order.length);
            }
            task.emit(mixed);
        } finally {
            sides.forEach(Block::close);
        }
    }
}
