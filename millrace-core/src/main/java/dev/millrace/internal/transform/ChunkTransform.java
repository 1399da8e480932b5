package dev.millrace.internal.transform;

import dev.millrace.block.Block;

/// A step at work in one task, on one thread. Closed once, also after a failure; releases then what it still holds.
public interface ChunkTransform extends AutoCloseable {
    /// Takes a chunk, which may be without rows (and owns it from here, also when it throws) and sends what comes of it
    /// to `out`.
    void accept(Block chunk, ChunkSink out) throws Exception;

    /// False once no further chunk can change what comes out.
    default boolean wantsMore() {
        return true;
    }

    /// After how many more rows [#wantsMore] will be false; Long.MAX_VALUE where that is not known.
    default long rowsWanted() {
        return Long.MAX_VALUE;
    }

    /// The input is at its end: sends the rest.
    default void finish(ChunkSink out) throws Exception {}

    @Override
    default void close() throws Exception {}
}
