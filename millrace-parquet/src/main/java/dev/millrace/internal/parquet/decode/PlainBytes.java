package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.internal.parquet.format.MalformedParquet;
import java.lang.foreign.MemorySegment;

/// Byte strings, each preceded by its length.
final class PlainBytes extends BytesDecoder {
    private final MemorySegment data;
    private final long end;
    private long at;

    PlainBytes(MemorySegment data, long from, long end) {
        this.data = data;
        this.at = from;
        this.end = end;
    }

    @Override
    public void read(BytesSink target, int count) {
        long from = at;
        skip(count);
        int first = target.count();
        int base = (int) target.bytes();
        target.add(count, at - from - 4L * count);
        MemorySegment offsets = target.offsets();
        MemorySegment bytes = target.data();
        MemorySegment source = data;
        long position = from;
        int offset = base;
        for (int i = 0; i < count; i++) {
            int length = source.get(JAVA_INT_UNALIGNED, position);
            WordPadding.copy(source, position + 4, bytes, offset, length);
            offset += length;
            position += 4 + length;
            offsets.setAtIndex(JAVA_INT, first + i + 1L, offset);
        }
    }

    @Override
    public void skip(int count) {
        long position = at;
        long last = end - 4;
        for (int i = 0; i < count; i++) {
            if (position > last) {
                throw new MalformedParquet("a page of strings ends " + (count - i) + " values too early");
            }
            int length = data.get(JAVA_INT_UNALIGNED, position);
            position += 4 + length;
            if (length < 0) {
                throw new MalformedParquet("a string of " + length + " bytes");
            }
        }
        if (position > end) {
            throw new MalformedParquet("a page of strings ends in the middle of one");
        }
        at = position;
    }
}
