package dev.millrace.internal.kernel.sort;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/// Sorts pairs of 64-bit unsigned keys and 64-bit values by key, a byte at a time from the lowest; stable. Bytes that
/// all keys share cost nothing but their counting.
final class RadixSort {
    private static final int DIGITS = Long.BYTES;
    private static final int BUCKETS = 256;

    private RadixSort() {}

    /// Sorts the pairs `from` to `to`.
    ///
    /// @param scratch as large as `pairs`
    static void pairs(MemorySegment pairs, MemorySegment scratch, long from, long to) {
        int[] counts = new int[DIGITS * BUCKETS];
        count(pairs, from, to, counts);
        long rows = to - from;
        MemorySegment source = pairs;
        MemorySegment target = scratch;
        boolean inScratch = false;
        long first = pairs.getAtIndex(JAVA_LONG, 2 * from);
        for (int digit = 0; digit < DIGITS; digit++) {
            int base = digit * BUCKETS;
            int shift = 8 * digit;
            if (counts[base + (int) (first >>> shift & 0xFF)] == rows) {
                continue;
            }
            long[] at = new long[BUCKETS];
            long next = from;
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                at[bucket] = 2 * next;
                next += counts[base + bucket];
            }
            scatter(source, target, from, to, shift, at);
            MemorySegment done = target;
            target = source;
            source = done;
            inScratch = !inScratch;
        }
        if (inScratch) {
            long bytes = rows * KeyLevel.PAIR;
            MemorySegment.copy(source, from * KeyLevel.PAIR, pairs, from * KeyLevel.PAIR, bytes);
        }
    }

    private static void count(MemorySegment pairs, long from, long to, int[] counts) {
        for (long i = from; i < to; i++) {
            long key = pairs.getAtIndex(JAVA_LONG, 2 * i);
            counts[(int) (key & 0xFF)]++;
            counts[BUCKETS + (int) (key >>> 8 & 0xFF)]++;
            counts[2 * BUCKETS + (int) (key >>> 16 & 0xFF)]++;
            counts[3 * BUCKETS + (int) (key >>> 24 & 0xFF)]++;
            counts[4 * BUCKETS + (int) (key >>> 32 & 0xFF)]++;
            counts[5 * BUCKETS + (int) (key >>> 40 & 0xFF)]++;
            counts[6 * BUCKETS + (int) (key >>> 48 & 0xFF)]++;
            counts[7 * BUCKETS + (int) (key >>> 56)]++;
        }
    }

    private static void scatter(
            MemorySegment source, MemorySegment target, long from, long to, int shift, long[] at) {
        for (long i = from; i < to; i++) {
            long key = source.getAtIndex(JAVA_LONG, 2 * i);
            int bucket = (int) (key >>> shift & 0xFF);
            long place = at[bucket];
            at[bucket] = place + 2;
            target.setAtIndex(JAVA_LONG, place, key);
            target.setAtIndex(JAVA_LONG, place + 1, source.getAtIndex(JAVA_LONG, 2 * i + 1));
        }
    }
}
