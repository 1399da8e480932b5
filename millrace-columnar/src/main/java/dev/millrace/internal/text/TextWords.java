package dev.millrace.internal.text;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Operations on eight bytes of text at once; the first byte is in the lowest bits. Code that reads words reads up to
/// seven bytes past the end of the requested range.
public final class TextWords {
    public static final ValueLayout.OfLong WORD = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    /// Padding after a text in an array, so that tokens need no bounds check: zeros, which occur in no token.
    public static final int PADDING = 64;

    private static final long EACH = 0x0101_0101_0101_0101L;
    private static final long LOW_BITS = ~HIGH_BITS;

    private static final VarHandle ARRAY_WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private TextWords() {}

    public static long word(MemorySegment bytes, long at) {
        return bytes.get(WORD, at);
    }

    public static long word(byte[] bytes, int at) {
        return (long) ARRAY_WORD.get(bytes, at);
    }

    public static byte at(MemorySegment bytes, long position) {
        return bytes.get(JAVA_BYTE, position);
    }

    /// A word of eight equal bytes.
    public static long repeat(int value) {
        return EACH * (value & 0xFF);
    }

    /// The high bit of each byte that equals the one of `pattern`.
    public static long equal(long word, long pattern) {
        long difference = word ^ pattern;
        return ~(((difference & LOW_BITS) + LOW_BITS) | difference) & HIGH_BITS;
    }

    /// The high bit of each byte below `limit`, which is at most 0x7F.
    public static long below(long word, int limit) {
        return ~(((word | HIGH_BITS) - repeat(limit)) | word) & HIGH_BITS;
    }

    /// The high bits of the eight bytes, gathered into the lowest eight bits.
    public static long gather(long highBits) {
        return (highBits >>> 7) * 0x0102_0408_1020_4080L >>> 56;
    }

    /// The position of the first byte whose high bit is set; 8 if there is none.
    public static int first(long highBits) {
        return Long.numberOfTrailingZeros(highBits) >>> 3;
    }

    /// The position of the first occurrence of the byte, or `to`.
    public static long find(MemorySegment bytes, long from, long to, byte wanted) {
        long pattern = repeat(wanted);
        for (long at = from; at < to; at += 8) {
            long found = equal(word(bytes, at), pattern);
            if (found != 0) {
                return Math.min(to, at + first(found));
            }
        }
        return to;
    }

    /// The start of the text after leading blanks.
    public static int trimStart(MemorySegment bytes, int from, int to) {
        int start = from;
        while (start < to && isBlank(at(bytes, start))) {
            start++;
        }
        return start;
    }

    /// The end of the text before trailing blanks.
    public static int trimEnd(MemorySegment bytes, int from, int to) {
        int end = to;
        while (end > from && isBlank(at(bytes, end - 1))) {
            end--;
        }
        return end;
    }

    /// ASCII blanks, tabs and line ends.
    private static boolean isBlank(byte value) {
        return value == ' ' || value >= '\t' && value <= '\r';
    }
}
