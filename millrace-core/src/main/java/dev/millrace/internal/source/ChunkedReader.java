package dev.millrace.internal.source;

import dev.millrace.block.Block;
import dev.millrace.source.SplitReader;
import org.jspecify.annotations.Nullable;

/// Cuts large blocks of a format into chunks, without a copy.
abstract class ChunkedReader implements SplitReader {
    private final long chunkBytes;
    private @Nullable Block block;
    private long at;
    private long chunkRows;

    ChunkedReader(long chunkBytes) {
        this.chunkBytes = chunkBytes;
    }

    /// The next block, of which this takes ownership, or null at the end.
    abstract @Nullable Block nextBlock() throws Exception;

    /// Closes the input of [#nextBlock].
    abstract void closeInput() throws Exception;

    @Override
    public final @Nullable Block next() throws Exception {
        while (block == null || at == block.rows()) {
            release();
            block = nextBlock();
            if (block == null) {
                return null;
            }
            at = 0;
            chunkRows = (long) Math.max(1, (double) block.rows() * chunkBytes / Math.max(1, block.sizeBytes()));
        }
        long rows = Math.min(chunkRows, block.rows() - at);
        Block chunk = block.slice(at, rows);
        at += rows;
        return chunk;
    }

    private void release() {
        if (block != null) {
            Block done = block;
            block = null;
            done.close();
        }
    }

    @Override
    public final void close() throws Exception {
        try {
            release();
        } finally {
            closeInput();
        }
    }
}
