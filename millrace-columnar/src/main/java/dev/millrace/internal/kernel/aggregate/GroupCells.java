package dev.millrace.internal.kernel.aggregate;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.buffer.Growth;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Cells of one width, one for each group, in counted memory that grows; new ones are zero. One thread.
final class GroupCells implements AutoCloseable {
    private static final int LEAST = 64;

    private final GrowingBuffer cells;
    private final int width;
    /// Valid until the next [#reserve].
    MemorySegment segment;
    private long capacity;

    GroupCells(Allocator allocator, int width) {
        this.cells =
                new GrowingBuffer(allocator, Growth.from((long) LEAST * width).withZeros());
        this.width = width;
        this.segment = cells.memory();
    }

    /// Reserves space for `count` cells in total.
    void reserve(long count) {
        if (count <= capacity) {
            return;
        }
        segment = cells.reserveTotal(count * width);
        capacity = cells.capacity() / width;
        cells.size(capacity * width);
    }

    /// The first `count` cells, which the caller owns from here.
    Buffer take(long count) {
        reserve(count);
        Buffer taken = cells.take().trim(count * width);
        segment = cells.memory();
        capacity = 0;
        return taken;
    }

    @Override
    public void close() {
        take(0).release();
    }
}
