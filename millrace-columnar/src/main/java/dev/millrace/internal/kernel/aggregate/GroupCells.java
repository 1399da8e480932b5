package dev.millrace.internal.kernel.aggregate;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Cells of one width, one for each group, in counted memory that grows; new ones are zero. One thread.
final class GroupCells implements AutoCloseable {
    private static final int LEAST = 64;

    private final Allocator allocator;
    private final int width;
    private Buffer buffer = Buffer.EMPTY;
    /// Valid until the next [#reserve].
    MemorySegment segment = buffer.segment();
    private long capacity;

    GroupCells(Allocator allocator, int width) {
        this.allocator = allocator;
        this.width = width;
    }

    /// Makes room for `count` cells in all.
    void reserve(long count) {
        if (count <= capacity) {
            return;
        }
        long more = Math.max(LEAST, Math.max(count, capacity * 2));
        Buffer larger = allocator.allocateZeroed(more * width);
        MemorySegment.copy(segment, 0, larger.segment(), 0, capacity * width);
        Buffer old = buffer;
        buffer = larger;
        segment = larger.segment();
        capacity = more;
        old.release();
    }

    /// The first `count` cells, which now belong to the caller.
    Buffer take(long count) {
        reserve(count);
        Buffer taken = buffer.trim(count * width);
        buffer = Buffer.EMPTY;
        segment = buffer.segment();
        capacity = 0;
        return taken;
    }

    @Override
    public void close() {
        take(0).release();
    }
}
