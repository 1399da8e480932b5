package dev.millrace.internal.arrow;

import dev.millrace.internal.compress.Lz4Frame;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// The working memory of [PieceTarget]s, used by one at a time and then reused by the next.
public final class PieceScratch implements AutoCloseable {
    /// The maximum number of bytes per write.
    static final int STAGE_BYTES = 512 << 10;
    /// The number of bytes that are compressed at once.
    static final int PIECE_BYTES = Lz4Frame.BLOCK_BYTES;

    private final BufferCodecs codecs = new BufferCodecs();
    private final Buffer memory;

    public PieceScratch(Allocator allocator) {
        memory = allocator.allocate(STAGE_BYTES + PIECE_BYTES);
    }

    BufferCodecs codecs() {
        return codecs;
    }

    /// Buffers pieces until they are written.
    MemorySegment stage() {
        return memory.segment().asSlice(0, STAGE_BYTES);
    }

    /// Holds a piece that has to be generated.
    MemorySegment piece() {
        return memory.segment().asSlice(STAGE_BYTES, PIECE_BYTES);
    }

    @Override
    public void close() {
        memory.release();
    }
}
