package dev.millrace.internal.parquet.encode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.buffer.GrowingBuffer;
import java.lang.foreign.MemorySegment;

/// Byte stream split encoding: the first bytes of all values, then all second bytes, and so on; compresses floats
/// better.
public final class StreamSplit {
    private StreamSplit() {}

    public static void write(MemorySegment plain, int count, int width, GrowingBuffer out) {
        MemorySegment memory = out.reserve((long) count * width);
        long at = out.size();
        for (int b = 0; b < width; b++) {
            for (long i = 0, from = b; i < count; i++, from += width) {
                memory.set(JAVA_BYTE, at++, plain.get(JAVA_BYTE, from));
            }
        }
        out.size(at);
    }
}
