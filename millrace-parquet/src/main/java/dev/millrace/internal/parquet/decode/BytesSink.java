package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.buffer.Growth;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Byte strings in the making: offsets and the bytes one after the other, in buffers that grow. The data has
/// [WordPadding#BYTES] behind it.
public final class BytesSink implements AutoCloseable {
    private static final long MOST = Integer.MAX_VALUE - 64;
    private static final int MIN_BYTES = 64;

    private static final Growth OFFSETS = Growth.from(0);
    private static final Growth DATA =
            Growth.from(0).withSlack(WordPadding.BYTES).upTo(MOST, BytesSink::tooLarge);

    private final GrowingBuffer offsets;
    private final GrowingBuffer data;
    private int count;

    public BytesSink(Allocator allocator) {
        offsets = new GrowingBuffer(allocator, OFFSETS);
        data = new GrowingBuffer(allocator, DATA);
    }

    private static MalformedParquet tooLarge(long bytes) {
        return new MalformedParquet("strings of " + bytes + " bytes would stand in one chunk; 2 GiB are the most");
    }

    /// Starts anew, with room for so much.
    public void begin(int values, long expectedBytes) {
        close();
        count = 0;
        offsets.reserveTotal(4L * (values + 1L));
        data.reserveTotal(Math.clamp(expectedBytes, MIN_BYTES, MOST));
        offsets.putInt(0);
    }

    /// Makes room for more values, and counts them and their bytes, which the caller writes then.
    void add(int values, long moreBytes) {
        data.reserve(moreBytes);
        offsets.reserve(4L * values);
        data.advance(moreBytes);
        offsets.advance(4L * values);
        count += values;
    }

    public int count() {
        return count;
    }

    public long bytes() {
        return data.size();
    }

    public MemorySegment offsets() {
        return offsets.memory();
    }

    public MemorySegment data() {
        return data.memory();
    }

    /// Moves the values apart so that value i stands at the i-th slot that is there; the others are empty.
    ///
    /// @param there one byte per slot, 1 where a value is
    public void spread(byte[] there, int slots) {
        int missing = slots - count;
        long bytes = data.size();
        MemorySegment all = offsets.reserve(4L * missing);
        offsets.advance(4L * missing);
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
        return offsets.take();
    }

    public Buffer takeData() {
        return data.take();
    }

    @Override
    public void close() {
        offsets.close();
        data.close();
    }
}
