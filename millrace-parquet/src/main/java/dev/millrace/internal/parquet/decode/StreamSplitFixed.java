package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.parquet.format.MalformedParquet;
import java.lang.foreign.MemorySegment;

/// Byte streams: the first bytes of all values, then all second bytes, and so on (BYTE_STREAM_SPLIT).
final class StreamSplitFixed extends FixedDecoder {
    private final MemorySegment data;
    private final long from;
    private final int width;
    private final int values;
    private int next;

    StreamSplitFixed(MemorySegment data, long from, long end, int width) {
        this.data = data;
        this.from = from;
        this.width = width;
        this.values = (int) ((end - from) / width);
    }

    @Override
    public void read(MemorySegment target, long at, int count) {
        int first = next;
        skip(count);
        for (int b = 0; b < width; b++) {
            long source = from + (long) b * values + first;
            long to = at + b;
            for (int i = 0; i < count; i++) {
                target.set(JAVA_BYTE, to + (long) i * width, data.get(JAVA_BYTE, source + i));
            }
        }
    }

    @Override
    public int width() {
        return width;
    }

    @Override
    public void skip(int count) {
        if (count > values - next) {
            throw new MalformedParquet("a page ends " + (count - values + next) + " values too early");
        }
        next += count;
    }
}
