package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Operations on UTF-8 in memory.
final class Utf8Text {
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;

    /// What stands for a byte that is no UTF-8: no code point, so that U+FFFD itself is told apart.
    private static final int MALFORMED = Character.MAX_CODE_POINT + 1;

    private Utf8Text() {}

    static boolean isAscii(MemorySegment data, long start, long end) {
        long any = 0;
        long at = start;
        for (; at + 8 <= end; at += 8) {
            any |= data.get(JAVA_LONG_UNALIGNED, at);
        }
        for (; at < end; at++) {
            any |= data.get(JAVA_BYTE, at);
        }
        return (any & HIGH_BITS) == 0;
    }

    /// Changes the case of ASCII in place.
    static void changeCase(MemorySegment text, boolean upper) {
        long at = 0;
        for (; at + 8 <= text.byteSize(); at += 8) {
            text.set(JAVA_LONG_UNALIGNED, at, changeCase(text.get(JAVA_LONG_UNALIGNED, at), upper));
        }
        for (; at < text.byteSize(); at++) {
            text.set(JAVA_BYTE, at, (byte) changeCase(text.get(JAVA_BYTE, at), upper));
        }
    }

    /// Changes the case of eight ASCII characters: the high bit of each byte indicates whether it has reached the first
    /// letter, another whether it has passed the last; combined and shifted right by two, this is the bit in which
    /// upper and lower case differ.
    static long changeCase(long characters, boolean upper) {
        long reached = characters + (0x80 - (upper ? 'a' : 'A')) * EACH_BYTE;
        long passed = characters + (0x80 - (upper ? 'z' : 'Z') - 1) * EACH_BYTE;
        return characters ^ (reached & ~passed & HIGH_BITS) >>> 2;
    }

    /// The number of code points, which is the number of bytes other than continuation bytes.
    static int codePoints(MemorySegment data, long start, long end) {
        int count = 0;
        for (long at = start; at < end; at++) {
            count += (data.get(JAVA_BYTE, at) & 0xC0) != 0x80 ? 1 : 0;
        }
        return count;
    }

    /// The position of the `index`-th code point after `start`, or `end` if there are fewer.
    static long skip(MemorySegment data, long start, long end, long index) {
        long left = index;
        long at = start;
        while (at < end && left > 0) {
            at++;
            while (at < end && (data.get(JAVA_BYTE, at) & 0xC0) == 0x80) {
                at++;
            }
            left--;
        }
        return at;
    }

    /// The code point whose bytes begin at `at`; a byte that is no UTF-8 gives a number beyond the code
    /// points.
    static int codePoint(MemorySegment data, long at, long end) {
        int first = data.get(JAVA_BYTE, at);
        if (first >= 0) {
            return first;
        }
        int more = (first & 0xE0) == 0xC0 ? 1 : (first & 0xF0) == 0xE0 ? 2 : (first & 0xF8) == 0xF0 ? 3 : 0;
        if (more == 0 || at + more >= end) {
            return MALFORMED;
        }
        int point = first & (0x3F >> more);
        for (int i = 1; i <= more; i++) {
            int next = data.get(JAVA_BYTE, at + i);
            if ((next & 0xC0) != 0x80) {
                return MALFORMED;
            }
            point = point << 6 | next & 0x3F;
        }
        return point;
    }

    /// The number of bytes of a code point that [#codePoint] returned.
    static int width(int point) {
        return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : point == MALFORMED ? 1 : 4;
    }
}
