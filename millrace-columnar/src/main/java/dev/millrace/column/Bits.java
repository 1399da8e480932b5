package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Bitmaps in Arrow's order: bit i is bit (i mod 8), least significant first, of byte i / 8.
public final class Bits {
    private Bits() {}

    /// Whether a bit is set, the lowest of the first byte being 0.
    public static boolean get(MemorySegment bits, long index) {
        return (bits.get(JAVA_BYTE, index >>> 3) >>> (index & 7) & 1) != 0;
    }

    /// Sets or clears a bit.
    public static void set(MemorySegment bits, long index, boolean value) {
        byte b = bits.get(JAVA_BYTE, index >>> 3);
        int mask = 1 << (index & 7);
        bits.set(JAVA_BYTE, index >>> 3, (byte) (value ? b | mask : b & ~mask));
    }

    /// Sets the bits `from` to `from + count`.
    public static void fill(MemorySegment bits, long from, long count, boolean value) {
        long at = from;
        long end = from + count;
        while (at < end && (at & 7) != 0) {
            set(bits, at++, value);
        }
        long whole = (end - at) >>> 3;
        bits.asSlice(at >>> 3, whole).fill((byte) (value ? 0xFF : 0));
        at += whole << 3;
        while (at < end) {
            set(bits, at++, value);
        }
    }

    /// The number of set bits from `from` to `from + count`.
    public static long count(MemorySegment bits, long from, long count) {
        long at = from;
        long end = from + count;
        long set = 0;
        while (at < end && (at & 7) != 0) {
            set += get(bits, at++) ? 1 : 0;
        }
        while (end - at >= 64) {
            set += Long.bitCount(bits.get(JAVA_LONG_UNALIGNED, at >>> 3));
            at += 64;
        }
        while (at < end) {
            set += get(bits, at++) ? 1 : 0;
        }
        return set;
    }

    /// Copies `count` bits; regions must not overlap.
    public static void copy(MemorySegment from, long fromBit, MemorySegment to, long toBit, long count) {
        long done = 0;
        while (done < count && (toBit + done & 7) != 0) {
            set(to, toBit + done, get(from, fromBit + done));
            done++;
        }
        int shift = (int) (fromBit + done & 7);
        if (shift == 0) {
            long whole = count - done >>> 3;
            MemorySegment.copy(from, fromBit + done >>> 3, to, toBit + done >>> 3, whole);
            done += whole << 3;
        }
        // The target is byte-aligned now: each word consists of the 64 bits starting at `shift`, which span nine bytes.
        for (; count - done >= 72; done += 64) {
            long at = fromBit + done >>> 3;
            long word =
                    from.get(JAVA_LONG_UNALIGNED, at) >>> shift | (long) from.get(JAVA_BYTE, at + 8) << (64 - shift);
            to.set(JAVA_LONG_UNALIGNED, toBit + done >>> 3, word);
        }
        for (; done < count; done++) {
            set(to, toBit + done, get(from, fromBit + done));
        }
    }
}
