package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.internal.kernel.sort.KeyBytes;
import dev.millrace.internal.kernel.window.WindowStream;
import dev.millrace.internal.kernel.window.WindowTotals;
import dev.millrace.relation.SortKey;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Window functions over all rows as one partition, which need not fit into memory: sorted runs are merged, and the
/// rows are streamed in pieces. What later pieces need of earlier rows, and the other way round, is kept.
public record WindowStreamReducer(Window window, List<WindowFunction> functions) implements ShuffleReducer {
    /// Small enough for the cache.
    private static final long PIECE_BYTES = 8L << 20;

    public WindowStreamReducer {
        functions = List.copyOf(functions);
    }

    @Override
    public void reduce(ReduceTask task) {
        try (WindowTotals totals = totals(task);
                WindowStream stream = new WindowStream(task.allocator(), window, functions, task.rows(0), totals);
                Pieces pieces = new Pieces(task, window.order());
                BlockShaper shaper = BlockShaper.toBytes(task.allocator(), task.targetBytes())) {
            for (Block piece = pieces.next(); piece != null; piece = pieces.next()) {
                stream.add(piece);
                pass(task, stream, shaper);
            }
            stream.finish();
            pass(task, stream, shaper);
            shaper.finish();
            task.pass(shaper);
        }
    }

    private static void pass(ReduceTask task, WindowStream stream, BlockShaper shaper) {
        for (Block done = stream.poll(); done != null; done = stream.poll()) {
            shaper.add(done);
            task.pass(shaper);
        }
    }

    /// Aggregates of all rows need a separate pass.
    private WindowTotals totals(ReduceTask task) {
        WindowTotals totals = new WindowTotals(task.allocator(), functions);
        boolean done = false;
        try {
            for (int run = 0; run < task.runs(0) && totals.isNeeded(); run++) {
                for (int i = 0; i < task.blocks(0, run); i++) {
                    try (Block block = task.block(0, run, i)) {
                        totals.add(block);
                    }
                }
            }
            totals.finish();
            done = true;
            return totals;
        } finally {
            if (!done) {
                totals.close();
            }
        }
    }

    /// The merged rows, cut so that rows with equal keys stay together.
    private static final class Pieces implements AutoCloseable {
        private final ReduceTask task;
        private final List<SortKey> keys;
        private final MergedRuns runs;
        private final Deque<Block> ahead = new ArrayDeque<>();
        /// Without an order: the position of the next block.
        private int nextRun;

        private int nextBlock;

        Pieces(ReduceTask task, List<SortKey> keys) {
            this.task = task;
            this.keys = keys;
            this.runs = new MergedRuns(task, keys);
            if (!keys.isEmpty() && runs.load()) {
                runs.inPieces(PIECE_BYTES);
            }
        }

        /// The next piece, which the caller closes; null at the end.
        @Nullable
        Block next() {
            return keys.isEmpty() ? unordered() : ordered();
        }

        /// Blocks unchanged.
        private @Nullable Block unordered() {
            while (nextRun < task.runs(0)) {
                if (nextBlock == task.blocks(0, nextRun)) {
                    nextRun++;
                    nextBlock = 0;
                    continue;
                }
                Block block = task.block(0, nextRun, nextBlock++);
                if (block.rows() > 0) {
                    return block;
                }
                block.close();
            }
            return null;
        }

        private @Nullable Block ordered() {
            List<Block> together = new ArrayList<>();
            try {
                if (ahead.isEmpty()) {
                    fetch();
                }
                while (!ahead.isEmpty()) {
                    together.add(ahead.poll());
                    fetch();
                    if (ahead.isEmpty() || !joins(together.getLast(), ahead.peek())) {
                        break;
                    }
                }
                return together.isEmpty() ? null : Blocks.concatenate(task.allocator(), together);
            } finally {
                together.forEach(Block::close);
            }
        }

        private void fetch() {
            Block block = runs.next();
            if (block != null) {
                ahead.add(block);
            }
        }

        /// Whether the last key of one is the first of the other, or that cannot be determined.
        private boolean joins(Block one, Block other) {
            KeyBytes last = KeyBytes.of(one, keys);
            KeyBytes first = KeyBytes.of(other, keys);
            return !last.kinds().equals(first.kinds()) || Arrays.equals(last.of(one.rows() - 1), first.of(0));
        }

        @Override
        public void close() {
            ahead.forEach(Block::close);
            runs.close();
        }
    }
}
