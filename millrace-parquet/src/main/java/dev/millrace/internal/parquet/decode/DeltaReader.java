package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.memory.CountedArray;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;

/// Integers as bit-packed differences (DELTA_BINARY_PACKED), decoded as longs; 32-bit ones wrap, so only their low half
/// is valid. The data must be followed by [WordPadding#BYTES] readable bytes.
final class DeltaReader {
    private static final int MAX_BLOCK = 1 << 16;

    private final MemorySegment data;
    private final long end;
    private long at;
    private final int miniblocks;
    private final int perMiniblock;
    private final int total;

    /// The number of values not yet read.
    private int left;

    private boolean started;
    private long value;
    private long minDelta;
    private final int[] widths;
    private int miniblock;
    private int inMiniblock;
    private long bit;

    DeltaReader(MemorySegment data, long from, long end) {
        this.data = data;
        this.at = from;
        this.end = end;
        long block = varint();
        long parts = varint();
        long values = varint();
        if (block < 1 || block > MAX_BLOCK || parts < 1 || parts > block || block % (8 * parts) != 0) {
            throw new MalformedParquet("delta-encoded blocks of " + block + " values in " + parts + " parts");
        }
        if (values < 0 || values > Integer.MAX_VALUE) {
            throw new MalformedParquet(values + " delta-encoded values in one page");
        }
        miniblocks = (int) parts;
        perMiniblock = (int) (block / parts);
        total = (int) values;
        left = total;
        widths = new int[miniblocks];
        miniblock = miniblocks;
        value = zigzag();
    }

    int total() {
        return total;
    }

    int left() {
        return left;
    }

    /// The position after the values, once all are read.
    long position() {
        return at;
    }

    void read(long[] target, int from, int count) {
        if (count > left) {
            throw new MalformedParquet("a page has " + left + " delta-encoded values left, not " + count);
        }
        left -= count;
        int i = from;
        int to = from + count;
        if (!started && count > 0) {
            started = true;
            target[i++] = value;
        }
        while (i < to) {
            if (inMiniblock == 0) {
                nextMiniblock(to - i + left);
            }
            int n = Math.min(inMiniblock, to - i);
            unpack(target, i, n, widths[miniblock]);
            inMiniblock -= n;
            i += n;
        }
        if (left == 0) {
            finishBlock();
        }
    }

    private void unpack(long[] target, int from, int count, int width) {
        long sum = value;
        if (width == 0) {
            for (int i = from; i < from + count; i++) {
                sum += minDelta;
                target[i] = sum;
            }
        } else if (width <= 56) {
            long mask = (1L << width) - 1;
            for (int i = from; i < from + count; i++) {
                sum += minDelta + (data.get(JAVA_LONG_UNALIGNED, bit >>> 3) >>> (bit & 7) & mask);
                target[i] = sum;
                bit += width;
            }
        } else {
            long mask = width == 64 ? -1 : (1L << width) - 1;
            for (int i = from; i < from + count; i++) {
                int shift = (int) (bit & 7);
                long low = data.get(JAVA_LONG_UNALIGNED, bit >>> 3) >>> shift;
                long high = shift == 0 ? 0 : (long) data.get(JAVA_BYTE, (bit >>> 3) + 8) << (64 - shift);
                sum += minDelta + ((low | high) & mask);
                target[i] = sum;
                bit += width;
            }
        }
        value = sum;
    }

    private void nextMiniblock(int needed) {
        if (++miniblock >= miniblocks) {
            minDelta = zigzag();
            for (int i = 0; i < miniblocks; i++) {
                widths[i] = next();
            }
            miniblock = 0;
        }
        int width = widths[miniblock];
        if (width > 64) {
            throw new MalformedParquet("delta-encoded values of " + width + " bits");
        }
        bit = at << 3;
        long bytes = (long) perMiniblock * width >>> 3;
        // The last miniblock may be truncated after its last value.
        long least = ((long) Math.min(needed, perMiniblock) * width + 7) >>> 3;
        if (least > end - at) {
            throw new MalformedParquet("delta-encoded values end too early");
        }
        at = Math.min(end, at + bytes);
        inMiniblock = perMiniblock;
    }

    /// Miniblocks after the last value have a width but no bytes.
    private void finishBlock() {
        inMiniblock = 0;
    }

    void skip(int count, long[] scratch) {
        for (int done = 0; done < count; done += scratch.length) {
            read(scratch, 0, Math.min(scratch.length, count - done));
        }
    }

    private int next() {
        if (at >= end) {
            throw new MalformedParquet("delta-encoded values end too early");
        }
        return data.get(JAVA_BYTE, at++) & 0xFF;
    }

    private long varint() {
        long number = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            int b = next();
            number |= (long) (b & 0x7F) << shift;
            if (b < 0x80) {
                return number;
            }
        }
        throw new MalformedParquet("a number has more than ten bytes");
    }

    private long zigzag() {
        long number = varint();
        return number >>> 1 ^ -(number & 1);
    }

    /// All values as lengths of byte strings, in an array that the caller closes. Few bytes can encode many of them.
    ///
    /// @param most the maximum number of values
    CountedArray<int[]> lengths(int most, Allocator allocator) {
        if (total > most) {
            throw new MalformedParquet("a page of " + most + " values has " + total + " lengths");
        }
        try (ResourceScope scope = new ResourceScope()) {
            CountedArray<int[]> lengths = scope.add(CountedArray.ofInts(allocator, total));
            readLengths(lengths.values());
            return scope.keep(lengths);
        }
    }

    private void readLengths(int[] lengths) {
        long[] some = new long[Math.min(1024, Math.max(1, total))];
        for (int done = 0; done < total; done += some.length) {
            int n = Math.min(some.length, total - done);
            read(some, 0, n);
            for (int i = 0; i < n; i++) {
                if (some[i] < 0 || some[i] > Integer.MAX_VALUE) {
                    throw new MalformedParquet("a string of " + some[i] + " bytes");
                }
                lengths[done + i] = (int) some[i];
            }
        }
    }
}
