package dev.millrace.internal.parquet.encode;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.internal.buffer.GrowingBuffer;
import java.lang.foreign.MemorySegment;

/// A batch of byte strings to be written to a page, as ranges of `data`. Reused for every batch.
public final class BytesBatch {
    public final long[] starts;
    public final int[] lengths;
    public MemorySegment data = MemorySegment.NULL;
    public int count;

    public BytesBatch(int most) {
        starts = new long[most];
        lengths = new int[most];
    }

    public long bytes() {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += lengths[i];
        }
        return sum;
    }

    /// Appends the values in plain encoding.
    ///
    /// @param prefixed each preceded by its length
    public void plain(GrowingBuffer out, boolean prefixed) {
        MemorySegment memory = out.reserve(bytes() + 4L * count);
        MemorySegment source = data;
        long at = out.size();
        for (int i = 0; i < count; i++) {
            int length = lengths[i];
            if (prefixed) {
                memory.set(JAVA_INT_UNALIGNED, at, length);
                at += 4;
            }
            ByteStrings.copy(source, starts[i], length, memory, at);
            at += length;
        }
        out.size(at);
    }
}
