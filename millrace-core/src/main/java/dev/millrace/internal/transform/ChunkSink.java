package dev.millrace.internal.transform;

import dev.millrace.block.Block;

/// The destination of a transform's chunks: the next transform, or the block shaper at the end of the chain.
public interface ChunkSink {
    /// Takes ownership of the chunk, also when it throws.
    void emit(Block chunk) throws Exception;

    /// False once nothing more is needed (a limit downstream is reached): the sender may stop early.
    boolean wantsMore();

    /// After how many more rows [#wantsMore] will be false; Long.MAX_VALUE if that is not known.
    default long rowsWanted() {
        return Long.MAX_VALUE;
    }
}
