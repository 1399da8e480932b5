package dev.millrace.internal.kernel.sort;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/// Sorts pairs of 64-bit unsigned keys and 64-bit values by key, a byte at a time from the lowest; stable. Bytes that
/// all keys share are skipped, and keys that are already in order are not sorted.
final class RadixSort {
    private static final int DIGITS = Long.BYTES;
    private static final int BUCKETS = 256;

    private RadixSort() {}

    /// Sorts the pairs `from` to `to`.
    ///
    /// @param scratch as large as `pairs`
    static void pairs(MemorySegment pairs, MemorySegment scratch, long from, long to) {
        if (isSorted(pairs, from, to)) {
            return;
        }
        long varying = varyingBits(pairs, from, to);
        MemorySegment source = pairs;
        MemorySegment target = scratch;
        boolean inScratch = false;
        int[] counts = new int[BUCKETS];
        long[] at = new long[BUCKETS];
        for (int digit = 0; digit < DIGITS; digit++) {
            int shift = 8 * digit;
            if ((varying >>> shift & 0xFF) == 0) {
                continue;
            }
            count(source, from, to, shift, counts);
            long next = from;
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                at[bucket] = 2 * next;
                next += counts[bucket];
                counts[bucket] = 0;
            }
            scatter(source, target, from, to, shift, at);
            MemorySegment done = target;
            target = source;
            source = done;
            inScratch = !inScratch;
        }
        if (inScratch) {
            long bytes = (to - from) * KeyLevel.PAIR;
            MemorySegment.copy(source, from * KeyLevel.PAIR, pairs, from * KeyLevel.PAIR, bytes);
        }
    }

    private static boolean isSorted(MemorySegment pairs, long from, long to) {
        long before = pairs.getAtIndex(JAVA_LONG, 2 * from) ^ Long.MIN_VALUE;
        for (long i = from + 1; i < to; i++) {
            long key = pairs.getAtIndex(JAVA_LONG, 2 * i) ^ Long.MIN_VALUE;
            if (key < before) {
                return false;
            }
            before = key;
        }
        return true;
    }

    private static long varyingBits(MemorySegment pairs, long from, long to) {
        long first = pairs.getAtIndex(JAVA_LONG, 2 * from);
        long varying = 0;
        for (long i = from; i < to; i++) {
            varying |= pairs.getAtIndex(JAVA_LONG, 2 * i) ^ first;
        }
        return varying;
    }

    private static void count(MemorySegment pairs, long from, long to, int shift, int[] counts) {
        for (long i = from; i < to; i++) {
            counts[(int) (pairs.getAtIndex(JAVA_LONG, 2 * i) >>> shift & 0xFF)]++;
        }
    }

    private static void scatter(MemorySegment source, MemorySegment target, long from, long to, int shift, long[] at) {
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
