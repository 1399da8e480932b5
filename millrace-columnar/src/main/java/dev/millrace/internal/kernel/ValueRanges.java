package dev.millrace.internal.kernel;

import java.util.Arrays;

/// Runs of values, each of one of several source columns, in the order of their concatenation. Consecutive runs that
/// continue each other are merged.
final class ValueRanges {
    private int[] source;
    private long[] from;
    private long[] count;
    private int size;
    private long total;

    ValueRanges(int expected) {
        source = new int[Math.max(4, expected)];
        from = new long[source.length];
        count = new long[source.length];
    }

    void add(int sourceIndex, long start, long length) {
        if (length == 0) {
            return;
        }
        total += length;
        int last = size - 1;
        if (last >= 0 && source[last] == sourceIndex && from[last] + count[last] == start) {
            count[last] += length;
            return;
        }
        if (size == source.length) {
            source = Arrays.copyOf(source, 2 * size);
            from = Arrays.copyOf(from, 2 * size);
            count = Arrays.copyOf(count, 2 * size);
        }
        source[size] = sourceIndex;
        from[size] = start;
        count[size] = length;
        size++;
    }

    int size() {
        return size;
    }

    /// Values in all runs.
    long total() {
        return total;
    }

    int source(int range) {
        return source[range];
    }

    long from(int range) {
        return from[range];
    }

    long count(int range) {
        return count[range];
    }

    /// The same runs where each value is `factor` values: the elements of fixed lists.
    ValueRanges times(int factor) {
        ValueRanges scaled = new ValueRanges(size);
        for (int i = 0; i < size; i++) {
            scaled.add(source[i], from[i] * factor, count[i] * factor);
        }
        return scaled;
    }
}
