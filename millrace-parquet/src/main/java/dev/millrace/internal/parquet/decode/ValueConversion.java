package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.millrace.internal.parquet.format.MalformedParquet;
import java.lang.foreign.MemorySegment;

/// Converts stored values to the layout of a column, if the two differ. Sources and targets are little-endian, except
/// for decimals in byte strings.
interface ValueConversion {
    void convert(MemorySegment from, long at, MemorySegment to, long target, int count);

    /// 32-bit integers to bytes.
    static void toBytes(MemorySegment from, long at, MemorySegment to, long target, int count) {
        for (int i = 0; i < count; i++) {
            to.set(JAVA_BYTE, target + i, (byte) from.get(JAVA_INT_UNALIGNED, at + 4L * i));
        }
    }

    /// 32-bit integers to 16 bits.
    static void toShorts(MemorySegment from, long at, MemorySegment to, long target, int count) {
        for (int i = 0; i < count; i++) {
            to.set(JAVA_SHORT_UNALIGNED, target + 2L * i, (short) from.get(JAVA_INT_UNALIGNED, at + 4L * i));
        }
    }

    /// 32-bit integers to decimals.
    static void intsToDecimals(MemorySegment from, long at, MemorySegment to, long target, int count) {
        for (int i = 0; i < count; i++) {
            long value = from.get(JAVA_INT_UNALIGNED, at + 4L * i);
            to.set(JAVA_LONG_UNALIGNED, target + 16L * i, value);
            to.set(JAVA_LONG_UNALIGNED, target + 16L * i + 8, value >> 63);
        }
    }

    /// 64-bit integers to decimals.
    static void longsToDecimals(MemorySegment from, long at, MemorySegment to, long target, int count) {
        for (int i = 0; i < count; i++) {
            long value = from.get(JAVA_LONG_UNALIGNED, at + 8L * i);
            to.set(JAVA_LONG_UNALIGNED, target + 16L * i, value);
            to.set(JAVA_LONG_UNALIGNED, target + 16L * i + 8, value >> 63);
        }
    }

    /// Big-endian two's complement integers of `width` bytes to decimals.
    static ValueConversion decimals(int width) {
        return (from, at, to, target, count) -> {
            for (int i = 0; i < count; i++) {
                decimal(from, at + (long) i * width, width, to, target + 16L * i);
            }
        };
    }

    /// One big-endian two's complement integer to a decimal.
    static void decimal(MemorySegment from, long at, int width, MemorySegment to, long target) {
        int sign = width == 0 ? 0 : from.get(JAVA_BYTE, at) >> 7;
        int first = Math.max(0, width - 16);
        for (int i = 0; i < first; i++) {
            if (from.get(JAVA_BYTE, at + i) != sign || from.get(JAVA_BYTE, at + first) >> 7 != sign) {
                throw new MalformedParquet("a decimal of " + width + " bytes has more than 38 digits");
            }
        }
        long high = sign;
        long low = sign;
        for (int i = first; i < width; i++) {
            high = high << 8 | low >>> 56;
            low = low << 8 | from.get(JAVA_BYTE, at + i) & 0xFF;
        }
        to.set(JAVA_LONG_UNALIGNED, target, low);
        to.set(JAVA_LONG_UNALIGNED, target + 8, high);
    }
}
