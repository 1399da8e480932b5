package dev.millrace.source;

import dev.millrace.block.Block;
import org.jspecify.annotations.Nullable;

/// Reads one split chunk by chunk, on one thread. The caller closes each block and, at the end or early, the reader.
public interface SplitReader extends AutoCloseable {
    /// The next chunk, which the caller owns, or null at the end. Chunks of a split come in order; none is empty
    /// unless the split is.
    @Nullable
    Block next() throws Exception;

    /// What errors call the part of the split that the last chunk came from, or that broke; null where the split is
    /// one.
    default @Nullable String part() {
        return null;
    }

    /// Called after [#next] threw a data error that the read's error policy tolerates: gives up what is broken, and
    /// says whether there is more to read. Where nobody knows where the next good row begins, the rest of the split is
    /// lost.
    default boolean skipBroken() throws Exception {
        return false;
    }

    @Override
    default void close() throws Exception {}
}
