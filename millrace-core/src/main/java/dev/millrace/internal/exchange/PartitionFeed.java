package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import java.util.ArrayList;
import java.util.List;

/// The partitions of a side, one after the other, each with the rows of all runs. Blocks are let go as they are used
/// up.
public final class PartitionFeed implements AutoCloseable {
    private final ReduceTask task;
    private final List<Cursor> cursors = new ArrayList<>();
    private int next;

    PartitionFeed(ReduceTask task, List<ReduceLayout.Run> runs, int side) {
        this.task = task;
        for (int run = 0; run < runs.size(); run++) {
            cursors.add(new Cursor(side, run, runs.get(run).partitionRows()));
        }
    }

    /// The next partition's rows as a block that the caller closes; null where it has none.
    public Block next() {
        List<Block> pieces = new ArrayList<>();
        try {
            nextPieces(pieces);
            return pieces.isEmpty() ? null : Blocks.concatenate(task.allocator(), pieces);
        } finally {
            pieces.forEach(Block::close);
        }
    }

    /// The same rows as they lie in the runs, added to blocks that the caller closes, also when this throws.
    public void nextPieces(List<Block> pieces) {
        for (Cursor cursor : cursors) {
            cursor.take(cursor.rows == null ? 0 : cursor.rows[next], pieces);
        }
        next++;
    }

    @Override
    public void close() {
        cursors.forEach(Cursor::close);
    }

    /// Reads one run from its front.
    private final class Cursor {
        private final int side;
        private final int run;
        private final int[] rows;
        private int index;
        private Block block;
        private long at;

        Cursor(int side, int run, int[] rows) {
            this.side = side;
            this.run = run;
            this.rows = rows;
        }

        void take(long wanted, List<Block> into) {
            long missing = wanted;
            while (missing > 0) {
                if (block == null) {
                    block = task.block(side, run, index++);
                    at = 0;
                }
                long part = Math.min(missing, block.rows() - at);
                if (part > 0) {
                    into.add(block.slice(at, part));
                }
                at += part;
                missing -= part;
                if (at == block.rows()) {
                    close();
                }
            }
        }

        void close() {
            if (block != null) {
                Block done = block;
                block = null;
                done.close();
            }
        }
    }
}
