package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Byte strings in the making: offsets and the bytes one after the other, in buffers that grow. The data has
/// [WordPadding#BYTES] behind it.
public final class BytesSink implements AutoCloseable {
    private static final long MOST = Integer.MAX_VALUE - 64;

    private final Allocator allocator;
    private Buffer offsets;
    private Buffer data;
    private int count;
    private long bytes;

    public BytesSink(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Starts anew, with room for so much.
    public void begin(int values, long expectedBytes) {
        close();
        count = 0;
        bytes = 0;
        offsets = allocator.allocate(4L * (values + 1L));
        data = allocator.allocate(Math.min(MOST, Math.max(64, expectedBytes)) + WordPadding.BYTES);
        offsets.segment().set(JAVA_INT, 0, 0);
    }

    /// Makes room for more values, and counts them and their bytes, which the caller writes then.
    void add(int values, long moreBytes) {
        long needed = bytes + moreBytes;
        if (needed > MOST) {
            throw new MalformedParquet("strings of " + needed + " bytes would stand in one chunk; 2 GiB are the most");
        }
        offsets = grown(offsets, 4L * (count + 1L), 4L * (count + values + 1L));
        data = grown(data, bytes, needed + WordPadding.BYTES);
        count += values;
        bytes = needed;
    }

    private Buffer grown(Buffer buffer, long used, long needed) {
        if (needed <= buffer.size()) {
            return buffer;
        }
        Buffer larger = allocator.allocate(Math.min(MOST + WordPadding.BYTES, Math.max(needed, buffer.size() * 2)));
        MemorySegment.copy(buffer.segment(), 0, larger.segment(), 0, used);
        buffer.release();
        return larger;
    }

    public int count() {
        return count;
    }

    public long bytes() {
        return bytes;
    }

    public MemorySegment offsets() {
        return offsets.segment();
    }

    public MemorySegment data() {
        return data.segment();
    }

    /// Moves the values apart so that value i stands at the i-th slot that is there; the others are empty.
    ///
    /// @param there one byte per slot, 1 where a value is
    public void spread(byte[] there, int slots) {
        int missing = slots - count;
        offsets = grown(offsets, 4L * (count + 1L), 4L * (slots + 1L));
        MemorySegment all = offsets.segment();
        int from = count;
        all.setAtIndex(JAVA_INT, slots, (int) bytes);
        for (int i = slots - 1; i >= 0; i--) {
            from -= there[i];
            // The start of a missing value is the start of the next one that is there.
            int start = there[i] != 0 || from < count ? all.getAtIndex(JAVA_INT, from) : (int) bytes;
            all.setAtIndex(JAVA_INT, i, start);
        }
        count += missing;
    }

    /// The buffers, which the caller owns from here.
    public Buffer takeOffsets() {
        Buffer taken = offsets;
        offsets = null;
        return taken;
    }

    public Buffer takeData() {
        Buffer taken = data;
        data = null;
        return taken;
    }

    @Override
    public void close() {
        if (offsets != null) {
            takeOffsets().release();
        }
        if (data != null) {
            takeData().release();
        }
    }
}
