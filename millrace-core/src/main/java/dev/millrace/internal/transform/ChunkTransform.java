package dev.millrace.internal.transform;

import dev.millrace.block.Block;

/// A running step in one task, on one thread. Closed once, also after a failure; then releases what it still holds.
public interface ChunkTransform extends AutoCloseable {
    /// Takes a chunk, which may have no rows (and owns it from here, also when it throws), and emits the result to
    /// `out`.
    void accept(Block chunk, ChunkSink out) throws Exception;

    /// False once no further chunk can change the output.
    default boolean wantsMore() {
        return true;
    }

    /// After how many more rows [#wantsMore] will be false; Long.MAX_VALUE if that is not known.
    default long rowsWanted() {
        return Long.MAX_VALUE;
    }

    /// The input has ended: emits the rest.
    default void finish(ChunkSink out) throws Exception {}

    @Override
    default void close() throws Exception {}
}
