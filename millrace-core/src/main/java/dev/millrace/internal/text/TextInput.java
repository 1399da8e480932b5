package dev.millrace.internal.text;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Brings a feed's bytes into an array, as much of them at once as the longest record needs. Behind them lie [#PADDING]
/// zeros. One thread.
///
/// An array, because positions that depend on the data cost a check per access, and those of arrays are the cheapest.
public final class TextInput implements AutoCloseable {
    public static final int PADDING = 64;
    private static final int FIRST_BYTES = 256 << 10;
    private static final int STAGE_BYTES = 128 << 10;
    private static final int MOST_BYTES = 1 << 30;

    private final String path;
    private final ByteFeed feed;
    private final Buffer stage;
    private byte[] bytes = new byte[FIRST_BYTES + PADDING];
    private int limit;
    /// Where the array begins in the file.
    private long start;

    private boolean ended;

    /// @param start where the feed begins in the file
    /// @param feed closed with this, and when this throws
    public TextInput(String path, ByteFeed feed, long start, Allocator allocator) throws IOException {
        this.path = path;
        this.feed = feed;
        this.start = start;
        try {
            this.stage = allocator.allocate(STAGE_BYTES);
        } catch (RuntimeException | Error e) {
            feed.close();
            throw e;
        }
    }

    /// Another array after [#more].
    public byte[] bytes() {
        return bytes;
    }

    /// Behind the last byte of the array that is one of the file.
    public int limit() {
        return limit;
    }

    /// The place in the file of a position in the array.
    public long place(int at) {
        return start + at;
    }

    public boolean isEnded() {
        return ended;
    }

    /// Moves what lies from `keep` on to the begin of the array and fills the rest, or if there is little, a larger
    /// array.
    /// Returns whether more came.
    public boolean more(int keep) throws IOException {
        if (ended) {
            return false;
        }
        int kept = limit - keep;
        int room = bytes.length - PADDING;
        byte[] target = bytes;
        if (kept > room / 2) {
            if (room >= MOST_BYTES) {
                throw MillraceException.data("'" + path + "', byte " + place(keep) + ": a line or record has more than "
                        + MOST_BYTES + " bytes. Is it a file of text?");
            }
            room *= 2;
            target = new byte[room + PADDING];
        }
        System.arraycopy(bytes, keep, target, 0, kept);
        start += keep;
        int filled = kept;
        MemorySegment memory = stage.segment();
        while (filled < room) {
            int count = feed.read(memory.asSlice(0, Math.min(STAGE_BYTES, room - filled)));
            if (count < 0) {
                ended = true;
                break;
            }
            MemorySegment.copy(memory, JAVA_BYTE, 0, target, filled, count);
            filled += count;
        }
        Arrays.fill(target, filled, filled + PADDING, (byte) 0);
        bytes = target;
        limit = filled;
        return filled > kept;
    }

    @Override
    public void close() throws IOException {
        stage.release();
        feed.close();
    }
}
