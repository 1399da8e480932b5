package dev.millrace.internal.csv;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A sliding window over a file's bytes. It is followed by the same amount of free memory, for fields that must be
/// rewritten.
final class InputWindow implements AutoCloseable {
    private static final int PADDING = 128;

    private final ByteFeed feed;
    private final GrowingBuffer buffer;
    private int capacity;

    /// Valid up to [#size]; 64 more bytes are readable. Empty after close.
    MemorySegment bytes = MemorySegment.NULL;
    /// The file position of the first byte.
    long position;

    int size;
    /// The file ends with the window.
    boolean last;

    private boolean closed;

    /// Takes ownership of the feed, which is at `position`.
    InputWindow(ByteFeed feed, long position, int capacity, Allocator allocator) throws IOException {
        this.feed = feed;
        this.position = position;
        this.buffer = new GrowingBuffer(allocator, 0);
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(feed);
            reserve(capacity);
            scope.keep();
        }
    }

    private void reserve(int wanted) {
        buffer.size(size);
        bytes = buffer.reserveExactly(2L * wanted + 2 * PADDING - size);
        capacity = wanted;
    }

    /// Reads until the window is full or the file ends.
    void fill() throws IOException {
        fill(capacity);
    }

    /// The same, but reads at most this many bytes.
    void fill(long most) throws IOException {
        int wanted = Math.clamp(most, 0, capacity);
        while (size < wanted && !last) {
            int count = feed.read(bytes.asSlice(size, wanted - size));
            if (count < 0) {
                last = true;
            } else {
                size += count;
            }
        }
    }

    int capacity() {
        return capacity;
    }

    /// The offset of the free memory.
    int spare() {
        return capacity + PADDING;
    }

    /// Moves on by this many bytes.
    void drop(int count) {
        MemorySegment.copy(bytes, count, bytes, 0, size - count);
        size -= count;
        position += count;
    }

    /// Moves on to a file position, or to the end of the file.
    void skipTo(long target) throws IOException {
        while (position < target) {
            fill();
            if (size == 0) {
                return;
            }
            drop((int) Math.min(size, target - position));
        }
    }

    void grow(int most) {
        reserve((int) Math.min(2L * capacity, most));
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            bytes = MemorySegment.NULL;
            buffer.close();
            feed.close();
        }
    }
}
