package dev.millrace.internal.csv;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A part of a file in memory that moves on. Behind it lies as much room again, for fields that must be rewritten.
final class InputWindow implements AutoCloseable {
    private static final int PADDING = 128;

    private final Allocator allocator;
    private final ByteFeed feed;
    private Buffer buffer;
    private int capacity;

    /// Valid up to [#size]; 64 bytes more are readable.
    MemorySegment bytes;
    /// Where in the file the first byte lies.
    long position;

    int size;
    /// The file ends with these bytes.
    boolean last;

    /// Takes over the feed, which stands at `position`.
    InputWindow(ByteFeed feed, long position, int capacity, Allocator allocator) throws IOException {
        this.feed = feed;
        this.position = position;
        this.allocator = allocator;
        this.capacity = capacity;
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(feed);
            this.buffer = allocate(capacity);
            scope.keep();
        }
        this.bytes = buffer.segment();
    }

    private Buffer allocate(int bytesWanted) {
        return allocator.allocate(2L * bytesWanted + 2 * PADDING);
    }

    /// Reads until the window is full or the file ends.
    void fill() throws IOException {
        fill(capacity);
    }

    /// The same, with so many bytes at most if that is fewer.
    void fill(long most) throws IOException {
        int wanted = (int) Math.clamp(most, 0, capacity);
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

    /// Where the free room begins.
    int spare() {
        return capacity + PADDING;
    }

    /// Moves on by so many bytes.
    void drop(int count) {
        MemorySegment.copy(bytes, count, bytes, 0, size - count);
        size -= count;
        position += count;
    }

    /// Moves on to a position of the file, or to its end.
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
        int larger = (int) Math.min(2L * capacity, most);
        Buffer grown = allocate(larger);
        MemorySegment.copy(bytes, 0, grown.segment(), 0, size);
        buffer.release();
        buffer = grown;
        bytes = grown.segment();
        capacity = larger;
    }

    @Override
    public void close() throws IOException {
        if (buffer != null) {
            buffer.release();
            buffer = null;
            feed.close();
        }
    }
}
