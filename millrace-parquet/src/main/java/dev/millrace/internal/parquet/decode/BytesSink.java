package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.buffer.Growth;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Byte strings under construction: offsets and concatenated bytes, in growing buffers. The data is followed by
/// [WordPadding#BYTES].
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

    /// Resets, with room for the expected number of values and bytes.
    public void begin(int values, long expectedBytes) {
        close();
        count = 0;
        offsets.reserveTotal(4L * (values + 1L));
        data.reserveTotal(Math.clamp(expectedBytes, MIN_BYTES, MOST));
        offsets.putInt(0);
    }

    /// Makes room for more values, and counts them and their bytes, which the caller then writes.
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

    /// Spreads the values so that value i is in the i-th non-null slot; null slots are empty.
    ///
    /// @param there one byte per slot, 1 if it has a value
    public void spread(byte[] there, int slots) {
        int missing = slots - count;
        long bytes = data.size();
        MemorySegment all = offsets.reserve(4L * missing);
        offsets.advance(4L * missing);
        int from = count;
        all.setAtIndex(JAVA_INT, slots, (int) bytes);
        for (int i = slots - 1; i >= 0; i--) {
            from -= there[i];
            // The start of a null is the start of the next value.
            int start = there[i] != 0 || from < count ? all.getAtIndex(JAVA_INT, from) : (int) bytes;
            all.setAtIndex(JAVA_INT, i, start);
        }
        count += missing;
    }

    /// The buffers; ownership passes to the caller.
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
