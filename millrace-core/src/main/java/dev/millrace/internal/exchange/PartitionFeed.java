package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Iterates over the partitions of a side, each with the rows of all runs. Blocks are released as they are used up.
final class PartitionFeed implements AutoCloseable {
    private final ReduceTask task;
    private final List<Cursor> cursors = new ArrayList<>();
    private final List<String> coded;
    /// The schema of the original rows of all runs, if they are narrow and of one schema; else null.
    private final @Nullable Schema schema;

    private int next;

    /// @param coded columns of text that may be dictionaries
    PartitionFeed(ReduceTask task, List<ReduceLayout.Run> runs, int side, List<String> coded) {
        this.task = task;
        this.coded = coded;
        this.schema = task.schema(side);
        for (int run = 0; run < runs.size(); run++) {
            cursors.add(new Cursor(side, run, runs.get(run).partitionRows()));
        }
    }

    /// The next partition's rows as a block that the caller closes; null if it has none.
    public @Nullable Block next() {
        List<Block> pieces = new ArrayList<>();
        try {
            take(pieces, schema == null);
            if (pieces.isEmpty()) {
                return null;
            }
            return schema == null
                    ? Blocks.concatenate(task.allocator(), pieces)
                    : NarrowRows.restore(task.allocator(), pieces, schema, coded);
        } finally {
            pieces.forEach(Block::close);
        }
    }

    /// The same rows as pieces of the runs, added to blocks that the caller closes, also when this throws.
    public void nextPieces(List<Block> pieces) {
        take(pieces, true);
    }

    private void take(List<Block> pieces, boolean restored) {
        for (Cursor cursor : cursors) {
            long missing = cursor.rows == null ? 0 : cursor.rows[next];
            while (missing > 0) {
                missing -= cursor.takeOne(missing, pieces, restored);
            }
        }
        next++;
    }

    /// The same rows piece by piece; each is closed after it was taken.
    public void next(Consumer<Block> taker) {
        for (Cursor cursor : cursors) {
            long missing = cursor.rows == null ? 0 : cursor.rows[next];
            List<Block> piece = new ArrayList<>();
            while (missing > 0) {
                try {
                    long taken = cursor.takeOne(missing, piece, true);
                    piece.forEach(taker);
                    missing -= taken;
                } finally {
                    piece.forEach(Block::close);
                    piece.clear();
                }
            }
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
        private final int @Nullable [] rows;
        private int index;
        private @Nullable Block block;
        private long at;

        Cursor(int side, int run, int @Nullable [] rows) {
            this.side = side;
            this.run = run;
            this.rows = rows;
        }

        /// The wanted rows that one block has, widened or as they are.
        long takeOne(long wanted, List<Block> into, boolean restored) {
            if (block == null) {
                block = task.narrow(side, run, index++);
                at = 0;
            }
            long part = Math.min(wanted, block.rows() - at);
            if (part > 0) {
                into.add(restored ? rows(block, part) : block.slice(at, part));
            }
            at += part;
            if (at == block.rows()) {
                close();
            }
            return part;
        }

        private Block rows(Block block, long count) {
            Block slice = block.slice(at, count);
            Schema own = task.schema(side, run);
            if (own == null) {
                return slice;
            }
            try (slice) {
                return NarrowRows.restore(task.allocator(), List.of(slice), own, coded);
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
