package dev.millrace.internal.transform;

import dev.millrace.block.Block;

/// Where a transform's chunks go: the next transform, or the shaper at the end of the chain.
public interface ChunkSink {
    /// Takes the chunk over, also when it throws.
    void emit(Block chunk) throws Exception;

    /// False once nothing more is needed (a limit downstream is full): the sender may stop early.
    boolean wantsMore();

    /// After how many more rows [#wantsMore] will be false; Long.MAX_VALUE where that is not known.
    default long rowsWanted() {
        return Long.MAX_VALUE;
    }
}
