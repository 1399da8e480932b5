package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.internal.memory.CountedArray;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;

/// Concatenated byte strings, preceded by all their lengths (DELTA_LENGTH_BYTE_ARRAY).
final class DeltaLengthBytes extends BytesDecoder {
    private final MemorySegment data;
    private final long end;
    private final CountedArray<int[]> counted;
    private final int[] lengths;
    private int next;
    private long at;

    DeltaLengthBytes(MemorySegment data, long from, long end, int values, Allocator allocator) {
        DeltaReader reader = new DeltaReader(data, from, end);
        this.data = data;
        this.end = end;
        this.counted = reader.lengths(values, allocator);
        this.lengths = counted.values();
        this.at = reader.position();
    }

    @Override
    public void read(BytesSink target, int count) {
        long from = at;
        int firstLength = next;
        skip(count);
        int first = target.count();
        int offset = (int) target.bytes();
        target.add(count, at - from);
        MemorySegment.copy(data, from, target.data(), offset, at - from);
        MemorySegment offsets = target.offsets();
        for (int i = 0; i < count; i++) {
            offset += lengths[firstLength + i];
            offsets.setAtIndex(JAVA_INT, first + i + 1L, offset);
        }
    }

    @Override
    public void skip(int count) {
        if (count > lengths.length - next) {
            throw new MalformedParquet("a page of strings ends too early");
        }
        for (int i = 0; i < count; i++) {
            at += lengths[next++];
        }
        if (at > end) {
            throw new MalformedParquet("a page of strings ends in the middle of one");
        }
    }

    @Override
    public void close() {
        counted.close();
    }
}
