package dev.millrace.internal.parquet.encode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.internal.buffer.GrowingBuffer;
import java.lang.foreign.MemorySegment;

/// The hybrid of run-length encoding and bit-packing (groups of eight): levels, dictionary indices, booleans.
public final class HybridWriter {
    private HybridWriter() {}

    /// The bit width of numbers up to `largest`.
    public static int bitsFor(int largest) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(largest);
    }

    /// A run of `count` equal values.
    public static void run(int value, int count, int bits, GrowingBuffer out) {
        out.putVarint((long) count << 1);
        for (int shift = 0; shift < bits; shift += 8) {
            out.putByte(value >>> shift);
        }
    }

    /// @param source numbers of one byte each
    public static void bytes(MemorySegment source, int count, int bits, GrowingBuffer out) {
        write(source, true, count, bits, out);
    }

    /// @param source numbers of four bytes each, aligned
    public static void ints(MemorySegment source, int count, int bits, GrowingBuffer out) {
        write(source, false, count, bits, out);
    }

    private static void write(MemorySegment source, boolean narrow, int count, int bits, GrowingBuffer out) {
        if (bits == 0) {
            // With a bit width of 0 readers still expect a run with the number of values.
            run(0, count, 0, out);
            return;
        }
        // A run costs a header and a value; short runs are smaller if bit-packed.
        int least = bits <= 1 ? 64 : bits <= 3 ? 24 : 8;
        int at = 0;
        while (at < count) {
            int end = runEnd(source, narrow, at, count);
            if (end - at >= least || end == count && at == 0) {
                run(get(source, narrow, at), end - at, bits, out);
                at = end;
            } else {
                int next = at;
                do {
                    next += 8;
                } while (next < count && !runs(source, narrow, next, count, least));
                next = Math.min(next, count);
                pack(source, narrow, at, next, bits, out);
                at = next;
            }
        }
    }

    private static int get(MemorySegment source, boolean narrow, int index) {
        return narrow ? source.get(JAVA_BYTE, index) : source.getAtIndex(JAVA_INT, index);
    }

    private static int runEnd(MemorySegment source, boolean narrow, int from, int count) {
        int value = get(source, narrow, from);
        int end = from + 1;
        while (end < count && get(source, narrow, end) == value) {
            end++;
        }
        return end;
    }

    private static boolean runs(MemorySegment source, boolean narrow, int from, int count, int least) {
        if (count - from < least || get(source, narrow, from) != get(source, narrow, from + 1)) {
            return false;
        }
        int value = get(source, narrow, from);
        for (int i = from + 2; i < from + least; i++) {
            if (get(source, narrow, i) != value) {
                return false;
            }
        }
        return true;
    }

    private static void pack(MemorySegment source, boolean narrow, int from, int to, int bits, GrowingBuffer out) {
        int groups = (to - from + 7) >>> 3;
        out.putVarint((long) groups << 1 | 1);
        MemorySegment memory = out.reserve((long) groups * bits + 32);
        long at = out.size();
        int whole = from + ((to - from) & ~7);
        if (narrow) {
            for (int i = from; i < whole; i += 8, at += bits) {
                memory.set(JAVA_LONG_UNALIGNED, at, packNarrow(source.get(JAVA_LONG_UNALIGNED, i), bits));
            }
        } else if (bits <= 8) {
            for (int i = from; i < whole; i += 8, at += bits) {
                memory.set(JAVA_LONG_UNALIGNED, at, pack8(source, i, bits));
            }
        } else if (bits <= 16) {
            for (int i = from; i < whole; i += 8, at += bits) {
                pack16(source, i, bits, memory, at);
            }
        } else {
            packWide(source, from, whole, bits, memory, at);
            at += (long) ((whole - from) >>> 3) * bits;
        }
        if (whole < to) {
            packRest(source, narrow, whole, to, bits, memory, at);
            at += bits;
        }
        out.size(at);
    }

    /// Packs eight numbers of one byte each, with a width of up to eight bits.
    private static long packNarrow(long word, int bits) {
        long packed = 0;
        for (int i = 0; i < 8; i++) {
            packed |= (word >>> (i << 3) & 0xFF) << i * bits;
        }
        return packed;
    }

    private static long pack8(MemorySegment source, long i, int bits) {
        long low = source.getAtIndex(JAVA_INT, i)
                | source.getAtIndex(JAVA_INT, i + 1) << bits
                | (long) source.getAtIndex(JAVA_INT, i + 2) << 2 * bits
                | (long) source.getAtIndex(JAVA_INT, i + 3) << 3 * bits;
        long high = source.getAtIndex(JAVA_INT, i + 4)
                | source.getAtIndex(JAVA_INT, i + 5) << bits
                | (long) source.getAtIndex(JAVA_INT, i + 6) << 2 * bits
                | (long) source.getAtIndex(JAVA_INT, i + 7) << 3 * bits;
        return low | high << 4 * bits;
    }

    private static void pack16(MemorySegment source, long i, int bits, MemorySegment memory, long at) {
        long first = quarter(source, i, bits);
        long second = quarter(source, i + 4, bits);
        int shift = 4 * bits;
        // At 16 bits the halves fill their words exactly.
        long low = shift == 64 ? first : first | second << shift;
        long high = shift == 64 ? second : second >>> (64 - shift);
        memory.set(JAVA_LONG_UNALIGNED, at, low);
        memory.set(JAVA_LONG_UNALIGNED, at + 8, high);
    }

    private static long quarter(MemorySegment source, long i, int bits) {
        return source.getAtIndex(JAVA_INT, i)
                | (long) source.getAtIndex(JAVA_INT, i + 1) << bits
                | (long) source.getAtIndex(JAVA_INT, i + 2) << 2 * bits
                | (long) source.getAtIndex(JAVA_INT, i + 3) << 3 * bits;
    }

    private static void packWide(MemorySegment source, int from, int to, int bits, MemorySegment memory, long target) {
        long at = target;
        long word = 0;
        int filled = 0;
        for (int i = from; i < to; i++) {
            long value = source.getAtIndex(JAVA_INT, i) & 0xFFFF_FFFFL;
            word |= value << filled;
            filled += bits;
            if (filled >= 64) {
                memory.set(JAVA_LONG_UNALIGNED, at, word);
                at += 8;
                filled -= 64;
                word = filled == 0 ? 0 : value >>> (bits - filled);
            }
        }
        memory.set(JAVA_LONG_UNALIGNED, at, word);
    }

    /// The last group, padded with zeros.
    private static void packRest(
            MemorySegment source, boolean narrow, int from, int to, int bits, MemorySegment memory, long at) {
        memory.asSlice(at, bits).fill((byte) 0);
        for (int i = from; i < to; i++) {
            long value = get(source, narrow, i) & 0xFFFF_FFFFL;
            for (int b = 0; b < bits; b++) {
                int bit = (i - from) * bits + b;
                long place = at + (bit >>> 3);
                byte old = memory.get(JAVA_BYTE, place);
                memory.set(JAVA_BYTE, place, (byte) (old | (value >>> b & 1) << (bit & 7)));
            }
        }
    }
}
