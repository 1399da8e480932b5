package dev.millrace.internal.arrow;

import dev.millrace.internal.compress.Lz4Frame;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// The memory that a [PieceTarget] works in, whatever it writes; for one at a time, and then for the next.
public final class PieceScratch implements AutoCloseable {
    /// What is written at once, at most.
    static final int STAGE_BYTES = 512 << 10;
    /// What is compressed at once.
    static final int PIECE_BYTES = Lz4Frame.BLOCK_BYTES;

    private final BufferCodecs codecs = new BufferCodecs();
    private final Buffer memory;

    public PieceScratch(Allocator allocator) {
        memory = allocator.allocate(STAGE_BYTES + PIECE_BYTES);
    }

    BufferCodecs codecs() {
        return codecs;
    }

    /// Where pieces wait until they are written.
    MemorySegment stage() {
        return memory.segment().asSlice(0, STAGE_BYTES);
    }

    /// Where a piece is made that does not lie in memory as it should.
    MemorySegment piece() {
        return memory.segment().asSlice(STAGE_BYTES, PIECE_BYTES);
    }

    @Override
    public void close() {
        memory.release();
    }
}
