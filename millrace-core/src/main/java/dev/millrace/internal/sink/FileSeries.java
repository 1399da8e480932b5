package dev.millrace.internal.sink;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.MillraceException;
import dev.millrace.sink.WriteOptions;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Files of one folder, one after the other. A new file begins when the previous one has its rows or bytes, or when the
/// columns of a chunk do not fit the open one. One thread.
final class FileSeries {
    private final AttemptFiles files;
    private final WriteOptions options;
    private final String folder;
    private AttemptFiles.@Nullable Open open;

    FileSeries(AttemptFiles files, WriteOptions options, String folder) {
        this.files = files;
        this.options = options;
        this.folder = folder;
    }

    /// The caller keeps the chunk.
    void write(Block chunk) throws Exception {
        if (chunk.rows() == 0 && files.format().isFilePerRow()) {
            return;
        }
        long from = 0;
        long step = step(chunk);
        do {
            if (open != null && (isFull(open) || !fits(chunk.schema(), open.schema))) {
                end();
            }
            if (open == null) {
                open = files.begin(chunk.schema(), folder);
            }
            long rows = Math.min(Math.min(step, chunk.rows() - from), mostRows() - open.rows);
            try (Block part = chunk.slice(from, rows);
                    Block same = Blocks.widen(files.task().allocator(), part, open.schema)) {
                open.writer.write(same);
            }
            open.rows += rows;
            from += rows;
        } while (from < chunk.rows());
    }

    private long mostRows() {
        return files.format().isFilePerRow() ? 1 : options.maxRowsPerFile();
    }

    private boolean isFull(AttemptFiles.Open open) {
        return open.rows >= mostRows()
                || options.maxBytesPerFile() < Long.MAX_VALUE && open.bytes() >= options.maxBytesPerFile();
    }

    /// The number of rows after which the bytes of the file are checked.
    private long step(Block chunk) {
        if (options.maxBytesPerFile() == Long.MAX_VALUE || chunk.rows() == 0) {
            return Long.MAX_VALUE;
        }
        double bytesPerRow = (double) chunk.sizeBytes() / chunk.rows();
        return Math.max(1, (long) (options.maxBytesPerFile() / (4 * Math.max(1, bytesPerRow))));
    }

    /// True if the file's columns can represent the chunk's: the same ones, each of the same type or a wider one.
    private static boolean fits(Schema chunk, Schema file) {
        if (chunk.equals(file)) {
            return true;
        }
        try {
            return chunk.names().equals(file.names())
                    && Types.unify(file, chunk).equals(file);
        } catch (MillraceException _) {
            return false;
        }
    }

    long heldBytes() {
        return open == null ? 0 : open.writer.heldBytes();
    }

    /// Ends the open file, if there is one.
    void end() throws Exception {
        if (open != null) {
            AttemptFiles.Open ended = open;
            open = null;
            files.end(ended);
        }
    }

    void abandon() throws IOException {
        if (open != null) {
            AttemptFiles.Open abandoned = open;
            open = null;
            AttemptFiles.abandon(abandoned);
        }
    }
}
