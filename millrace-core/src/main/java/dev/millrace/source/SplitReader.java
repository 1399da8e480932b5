package dev.millrace.source;

import dev.millrace.block.Block;

/// Reads one split chunk by chunk, on one thread. The caller closes each block and, at the end or early, the reader.
public interface SplitReader extends AutoCloseable {
    /// The next chunk, which the caller owns, or null at the end. Chunks of a split come in order; none is empty
    /// unless the split is.
    Block next() throws Exception;

    @Override
    default void close() throws Exception {}
}
