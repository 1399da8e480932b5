package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.expression.SortKey;
import dev.millrace.internal.kernel.sort.KeyBytes;
import dev.millrace.internal.kernel.sort.RowOrder;
import java.util.ArrayList;
import java.util.List;

/// Merges the rows of sorted runs that lie in its range of keys.
public record SortReducer(List<SortKey> keys) implements Reducer {
    public SortReducer {
        keys = List.copyOf(keys);
    }

    @Override
    public void reduce(ReduceTask task) {
        KeyRange range = (KeyRange) task.argument();
        List<Block> pieces = new ArrayList<>();
        try {
            int runs = 0;
            for (int run = 0; run < task.runs(0); run++) {
                int before = pieces.size();
                for (int i = 0; i < task.blocks(0, run); i++) {
                    try (Block block = task.block(0, run, i)) {
                        Block inside = inside(block, range);
                        if (inside != null) {
                            pieces.add(inside);
                        }
                    }
                }
                runs += pieces.size() > before ? 1 : 0;
            }
            if (pieces.isEmpty()) {
                empty(task);
                return;
            }
            try (Block all = Blocks.concatenate(task.allocator(), pieces)) {
                pieces.forEach(Block::close);
                pieces.clear();
                emit(task, all, runs);
            }
        } finally {
            pieces.forEach(Block::close);
        }
    }

    private static void empty(ReduceTask task) {
        if (task.runs(0) > 0) {
            try (Block first = task.block(0, 0, 0)) {
                task.emit(Blocks.empty(first.schema()));
            }
        }
    }

    private Block inside(Block block, KeyRange range) {
        KeyBytes bytes = KeyBytes.of(block, keys);
        long from = range.from() == null ? 0 : bytes.firstNotBelow(block.rows(), range.from());
        long to = range.to() == null ? block.rows() : bytes.firstNotBelow(block.rows(), range.to());
        return from >= to ? null : block.slice(from, to - from);
    }

    private void emit(ReduceTask task, Block all, int runs) {
        if (runs == 1) {
            task.emit(all.retain());
            return;
        }
        try (RowOrder order = RowOrder.of(task.allocator(), all, keys)) {
            int rows = Math.toIntExact(all.rows());
            int[] positions = new int[rows];
            order.copy(0, rows, positions);
            task.emit(Blocks.take(task.allocator(), all, positions, rows));
        }
    }
}
