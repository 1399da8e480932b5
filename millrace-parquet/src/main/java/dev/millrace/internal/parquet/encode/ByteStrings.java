package dev.millrace.internal.parquet.encode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Hashes, compares and copies byte strings word by word, without reading a byte outside of them.
final class ByteStrings {
    private static final long K1 = 0x9E37_79B9_7F4A_7C15L;
    private static final long K2 = 0xC2B2_AE3D_27D4_EB4FL;

    private ByteStrings() {}

    /// The bytes of a string of 1 to 7 bytes in the low end of a word, the rest zero.
    static long word(MemorySegment source, long from, int length) {
        if (length >= 4) {
            long low = source.get(JAVA_INT_UNALIGNED, from) & 0xFFFF_FFFFL;
            long high = source.get(JAVA_INT_UNALIGNED, from + length - 4) & 0xFFFF_FFFFL;
            return low | high << ((length - 4) << 3);
        }
        if (length >= 2) {
            long low = source.get(JAVA_SHORT_UNALIGNED, from) & 0xFFFFL;
            long last = source.get(JAVA_BYTE, from + length - 1) & 0xFFL;
            return low | last << ((length - 1) << 3);
        }
        return length == 0 ? 0 : source.get(JAVA_BYTE, from) & 0xFFL;
    }

    /// Copies a byte string to `target` word by word, reading nothing outside of it and writing up to seven bytes more.
    static void copy(MemorySegment source, long from, int length, MemorySegment memory, long target) {
        if (length > 64) {
            MemorySegment.copy(source, from, memory, target, length);
        } else if (length >= 8) {
            int last = length - 8;
            for (int i = 0; i < last; i += 8) {
                memory.set(JAVA_LONG_UNALIGNED, target + i, source.get(JAVA_LONG_UNALIGNED, from + i));
            }
            memory.set(JAVA_LONG_UNALIGNED, target + last, source.get(JAVA_LONG_UNALIGNED, from + last));
        } else if (length > 0) {
            memory.set(JAVA_LONG_UNALIGNED, target, word(source, from, length));
        }
    }

    /// The hash of a string of more than eight bytes.
    ///
    /// @param word its first eight bytes
    static int hash(MemorySegment source, long from, int length, long word) {
        long last = source.get(JAVA_LONG_UNALIGNED, from + length - 8);
        long hash = mix(length * K1, word) ^ last * K1;
        for (int i = 8; i < length - 8; i += 8) {
            hash = mix(hash, source.get(JAVA_LONG_UNALIGNED, from + i));
        }
        hash *= K2;
        return (int) (hash ^ hash >>> 32);
    }

    /// The hash of a string of up to eight bytes, given as a word.
    static int hash(long word, int length) {
        long hash = mix(length * K1, word);
        return (int) (hash ^ hash >>> 32);
    }

    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) * K2;
        return mixed ^ mixed >>> 29;
    }

    static int hash(long value) {
        long mixed = value * K1;
        return (int) (mixed >>> 32);
    }

    static boolean equal(MemorySegment a, long atA, MemorySegment b, long atB, int length) {
        if (length < 8) {
            return word(a, atA, length) == word(b, atB, length);
        }
        int last = length - 8;
        for (int i = 0; i < last; i += 8) {
            if (a.get(JAVA_LONG_UNALIGNED, atA + i) != b.get(JAVA_LONG_UNALIGNED, atB + i)) {
                return false;
            }
        }
        return a.get(JAVA_LONG_UNALIGNED, atA + last) == b.get(JAVA_LONG_UNALIGNED, atB + last);
    }

    /// The first eight bytes as a number that compares like the bytes, padded with zeros.
    static long prefix(MemorySegment source, long from, int length) {
        return Long.reverseBytes(length >= 8 ? source.get(JAVA_LONG_UNALIGNED, from) : word(source, from, length));
    }
}
