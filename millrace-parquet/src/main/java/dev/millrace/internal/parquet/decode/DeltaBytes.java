package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.memory.CountedArray;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Byte strings as the length of the prefix shared with the previous value, and the suffix (DELTA_BYTE_ARRAY).
final class DeltaBytes extends BytesDecoder {
    private final MemorySegment data;
    private final long end;
    private final CountedArray<int[]> countedPrefixes;
    private final CountedArray<int[]> countedSuffixes;
    private final int[] prefixes;
    private final int[] suffixes;
    private int next;
    private long at;
    private byte[] last = new byte[64];
    private int lastLength;

    DeltaBytes(MemorySegment data, long from, long end, int values, Allocator allocator) {
        this.data = data;
        this.end = end;
        DeltaReader first = new DeltaReader(data, from, end);
        try (ResourceScope scope = new ResourceScope()) {
            countedPrefixes = scope.add(first.lengths(values, allocator));
            DeltaReader second = new DeltaReader(data, first.position(), end);
            if (second.total() != first.total()) {
                throw new MalformedParquet(
                        "a page has " + first.total() + " beginnings and " + second.total() + " ends");
            }
            countedSuffixes = second.lengths(values, allocator);
            at = second.position();
            scope.keep();
        }
        prefixes = countedPrefixes.values();
        suffixes = countedSuffixes.values();
    }

    @Override
    public void read(BytesSink target, int count) {
        if (count > prefixes.length - next) {
            throw new MalformedParquet("a page of strings ends too early");
        }
        for (int i = 0; i < count; i++) {
            advance();
            int first = target.count();
            long from = target.bytes();
            target.add(1, lastLength);
            MemorySegment.copy(last, 0, target.data(), JAVA_BYTE, from, lastLength);
            target.offsets().setAtIndex(JAVA_INT, first + 1L, (int) target.bytes());
        }
    }

    /// Reads the next value into `last`.
    private void advance() {
        int prefix = prefixes[next];
        int suffix = suffixes[next];
        next++;
        if (prefix > lastLength || suffix > end - at) {
            throw new MalformedParquet(
                    "a string of " + prefix + " bytes of the one before and " + suffix + " of its own");
        }
        lastLength = prefix + suffix;
        if (lastLength > last.length) {
            last = Arrays.copyOf(last, Math.max(lastLength, 2 * last.length));
        }
        MemorySegment.copy(data, JAVA_BYTE, at, last, prefix, suffix);
        at += suffix;
    }

    @Override
    public void skip(int count) {
        if (count > prefixes.length - next) {
            throw new MalformedParquet("a page of strings ends too early");
        }
        for (int i = 0; i < count; i++) {
            advance();
        }
    }

    @Override
    public void close() {
        countedPrefixes.close();
        countedSuffixes.close();
    }
}
