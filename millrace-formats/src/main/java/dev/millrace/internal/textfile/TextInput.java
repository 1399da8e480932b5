package dev.millrace.internal.textfile;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.memory.CountedArray;
import dev.millrace.internal.text.TextWords;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Loads a feed's bytes into an array, at least as many as the longest record needs. They are followed by [#PADDING]
/// zeros. One thread.
///
/// An array, because data-dependent positions cost a bounds check per access, and those of arrays are the cheapest. It
/// is accounted for.
public final class TextInput implements AutoCloseable {
    public static final int PADDING = TextWords.PADDING;
    private static final int FIRST_BYTES = 256 << 10;
    private static final int STAGE_BYTES = 128 << 10;

    private final ByteFeed feed;
    private final Buffer stage;
    private final Allocator allocator;
    /// The maximum size of the array, which fits the longest record.
    private final int maxRoom;

    private CountedArray<byte[]> array;
    private byte[] bytes;
    private int limit;
    /// The file position of the start of the array.
    private long start;

    private boolean ended;

    /// @param start the file position of the feed
    /// @param feed closed with this, and if the constructor throws
    /// @param maxRecordBytes the maximum that a reader keeps when it asks for more
    public TextInput(ByteFeed feed, long start, int maxRecordBytes, Allocator allocator) throws IOException {
        this.maxRoom = maxRecordBytes + FIRST_BYTES;
        this.feed = feed;
        this.start = start;
        this.allocator = allocator;
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(feed);
            this.stage = scope.add(allocator.allocate(STAGE_BYTES));
            this.array = CountedArray.ofBytes(allocator, FIRST_BYTES + PADDING);
            scope.keep();
        }
        this.bytes = array.values();
    }

    /// May be another array after [#more].
    public byte[] bytes() {
        return bytes;
    }

    /// The end of the file's bytes in the array.
    public int limit() {
        return limit;
    }

    /// The file position of a position in the array.
    public long place(int at) {
        return start + at;
    }

    public boolean isEnded() {
        return ended;
    }

    /// Moves the bytes from `keep` on to the start of the array and fills the rest, or a larger array if there is
    /// little room. Returns whether bytes were added.
    ///
    /// @param keep at most the longest record and one byte follow it
    public boolean more(int keep) throws IOException {
        if (ended) {
            return false;
        }
        int kept = limit - keep;
        int room = bytes.length - PADDING;
        if (kept > room / 2 && room < maxRoom) {
            // The last step goes directly to the maximum, so that the old array beside the new one is smaller.
            room = room > maxRoom / 4 ? maxRoom : 2 * room;
            CountedArray<byte[]> larger = CountedArray.ofBytes(allocator, room + PADDING);
            System.arraycopy(bytes, keep, larger.values(), 0, kept);
            array.close();
            array = larger;
            bytes = larger.values();
        } else {
            System.arraycopy(bytes, keep, bytes, 0, kept);
        }
        start += keep;
        int filled = kept;
        MemorySegment memory = stage.segment();
        while (filled < room) {
            int count = feed.read(memory.asSlice(0, Math.min(STAGE_BYTES, room - filled)));
            if (count < 0) {
                ended = true;
                break;
            }
            MemorySegment.copy(memory, JAVA_BYTE, 0, bytes, filled, count);
            filled += count;
        }
        Arrays.fill(bytes, filled, filled + PADDING, (byte) 0);
        limit = filled;
        return filled > kept;
    }

    @Override
    public void close() throws IOException {
        stage.release();
        array.close();
        feed.close();
    }
}
