package dev.millrace.internal.kernel.hash;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Turns values into 64 well-mixed bits.
public final class HashMix {
    private static final long FIRST = 0xBF58476D1CE4E5B9L;
    private static final long SECOND = 0x94D049BB133111EBL;
    private static final ValueLayout.OfLong WORD = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long STRIDE = 0x9E3779B97F4A7C15L;
    /// The low bits that must be zero for a uint64 beyond the range of longs to be representable as a double.
    private static final long UNSIGNED_ROUNDING = (1L << 11) - 1;

    private HashMix() {}

    /// Every bit of the input changes about half of the bits.
    public static long of(long value) {
        long z = value + STRIDE;
        z = (z ^ z >>> 30) * FIRST;
        z = (z ^ z >>> 27) * SECOND;
        return z ^ z >>> 31;
    }

    /// Combines the hash of the previous columns with this value.
    public static long and(long hash, long value) {
        return of(Long.rotateLeft(hash, 23) ^ value);
    }

    /// A number by its value: an integer and a float that are equal have the same bits.
    static long bitsOf(double value) {
        long whole = (long) value;
        if (whole == value && whole != Long.MAX_VALUE) {
            return whole;
        }
        // Canonical for NaN; no other double is near the small integers.
        return Double.doubleToLongBits(value);
    }

    /// The same for a uint64; those beyond the range of longs can be equal only to a float.
    static long bitsOfUnsigned(long value) {
        return value < 0 && (value & UNSIGNED_ROUNDING) == 0 ? Double.doubleToLongBits((value >>> 1) * 2.0) : value;
    }

    /// Bytes by what they are.
    public static long bytes(MemorySegment data, long from, long length) {
        long hash = length * STRIDE;
        long at = from;
        long end = from + length;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            hash = (Long.rotateLeft(hash, 27) ^ data.get(JAVA_LONG_UNALIGNED, at) * FIRST) * SECOND;
            hash ^= hash >>> 29;
        }
        if (at < end) {
            hash = (Long.rotateLeft(hash, 27) ^ last(data, from, at, end) * FIRST) * SECOND;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    /// The bytes from `at` to `end`, fewer than eight, in the lowest bits: out of a word that ends there or begins
    /// there, if there is one.
    private static long last(MemorySegment data, long from, long at, long end) {
        int unused = Long.SIZE - Byte.SIZE * (int) (end - at);
        if (end - from >= Long.BYTES) {
            return data.get(WORD, end - Long.BYTES) >>> unused;
        }
        if (at + Long.BYTES <= data.byteSize()) {
            return data.get(WORD, at) << unused >>> unused;
        }
        long last = 0;
        for (int i = 0; i < end - at; i++) {
            last |= (data.get(JAVA_BYTE, at + i) & 0xFFL) << Byte.SIZE * i;
        }
        return last;
    }
}
