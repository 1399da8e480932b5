package dev.millrace.internal.arrow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The LZ4 block format on segments: sequences of literals and of matches up to 64 KiB back. Plain Java, because the
/// libraries at hand either warn (native access, Unsafe) or cannot decode blocks that refer to earlier ones, which is
/// how pyarrow writes. Little-endian machines only, like the rest of our columns.
final class Lz4Block {
    private static final int MIN_MATCH = 4;
    /// The last bytes of a block are always literals: a match starts at least 12 and ends at least 5 before the end.
    private static final int LAST_MATCH_START = 12;

    private static final int LAST_LITERALS = 5;
    private static final int MAX_DISTANCE = 65535;
    private static final int HASH_BITS = 13;
    private static final int MISS_SHIFT = 6;

    private Lz4Block() {}

    /// The most bytes that [#encode] can write for `bytes` of input.
    static long maxEncoded(long bytes) {
        return bytes + bytes / 255 + 16;
    }

    /// The hash table that [#encode] needs, to be reused between blocks.
    static int[] newTable() {
        return new int[1 << HASH_BITS];
    }

    /// Encodes all of `in` as one block at the start of `out`; returns its length. `out` has [#maxEncoded] bytes.
    static long encode(MemorySegment in, MemorySegment out, int[] table) {
        long end = in.byteSize();
        long lastMatchStart = end - LAST_MATCH_START;
        Arrays.fill(table, 0);
        long anchor = 0;
        long at = 1; // position 0 is what an empty table entry points to
        long to = 0;
        int misses = 1 << MISS_SHIFT;
        while (at <= lastMatchStart) {
            int word = in.get(JAVA_INT_UNALIGNED, at);
            int slot = hash(word);
            long match = table[slot];
            table[slot] = (int) at;
            if (at - match > MAX_DISTANCE || in.get(JAVA_INT_UNALIGNED, match) != word) {
                at += misses++ >>> MISS_SHIFT;
                continue;
            }
            misses = 1 << MISS_SHIFT;
            while (at > anchor && match > 0 && in.get(JAVA_BYTE, at - 1) == in.get(JAVA_BYTE, match - 1)) {
                at--;
                match--;
            }
            long length = MIN_MATCH + matching(in, at + MIN_MATCH, match + MIN_MATCH, end - LAST_LITERALS);
            to = writeSequence(in, anchor, at, out, to, at - match, length);
            at += length;
            anchor = at;
            if (at - 2 > 0 && at <= lastMatchStart) {
                table[hash(in.get(JAVA_INT_UNALIGNED, at - 2))] = (int) (at - 2);
            }
        }
        return writeLiterals(in, anchor, end, out, to, 0);
    }

    private static int hash(int word) {
        return (word * -1640531535) >>> (32 - HASH_BITS);
    }

    /// How many bytes from `a` and `b` on are equal, with `a` staying below `end`.
    private static long matching(MemorySegment in, long a, long b, long end) {
        long from = a;
        while (a + 8 <= end) {
            long difference = in.get(JAVA_LONG_UNALIGNED, a) ^ in.get(JAVA_LONG_UNALIGNED, b);
            if (difference != 0) {
                return a - from + (Long.numberOfTrailingZeros(difference) >>> 3);
            }
            a += 8;
            b += 8;
        }
        while (a < end && in.get(JAVA_BYTE, a) == in.get(JAVA_BYTE, b)) {
            a++;
            b++;
        }
        return a - from;
    }

    private static long writeSequence(
            MemorySegment in, long literals, long end, MemorySegment out, long to, long distance, long length) {
        long rest = length - MIN_MATCH;
        long at = writeLiterals(in, literals, end, out, to, (int) Math.min(rest, 15));
        out.set(JAVA_SHORT_UNALIGNED, at, (short) distance);
        return rest < 15 ? at + 2 : writeLength(out, at + 2, rest - 15);
    }

    private static long writeLiterals(MemorySegment in, long from, long end, MemorySegment out, long to, int match) {
        long count = end - from;
        out.set(JAVA_BYTE, to, (byte) (Math.min(count, 15) << 4 | match));
        long at = count < 15 ? to + 1 : writeLength(out, to + 1, count - 15);
        if (count <= 16 && end + 16 <= in.byteSize()) {
            copy16(in, from, out, at);
        } else {
            MemorySegment.copy(in, from, out, at, count);
        }
        return at + count;
    }

    private static long writeLength(MemorySegment out, long at, long rest) {
        while (rest >= 255) {
            out.set(JAVA_BYTE, at++, (byte) 255);
            rest -= 255;
        }
        out.set(JAVA_BYTE, at++, (byte) rest);
        return at;
    }

    /// Decodes the block `in[from, end)` to `out[start, limit)`; matches may reach back to the start of `out`. Returns
    /// the position after the last byte written, or -1 where the block is malformed or does not fit.
    static long decode(MemorySegment in, long from, long end, MemorySegment out, long start, long limit) {
        long at = from;
        long to = start;
        while (at < end) {
            int token = in.get(JAVA_BYTE, at++) & 0xFF;
            long literals = token >>> 4;
            if (literals == 15) {
                int next;
                do {
                    if (at >= end) {
                        return -1;
                    }
                    next = in.get(JAVA_BYTE, at++) & 0xFF;
                    literals += next;
                } while (next == 255);
            }
            if (literals <= 16 && at + 16 <= end && to + 16 <= limit) {
                copy16(in, at, out, to);
            } else if (literals > end - at || literals > limit - to) {
                return -1;
            } else {
                MemorySegment.copy(in, at, out, to, literals);
            }
            at += literals;
            to += literals;
            if (at == end) {
                return to;
            }
            if (at + 2 > end) {
                return -1;
            }
            int distance = in.get(JAVA_SHORT_UNALIGNED, at) & 0xFFFF;
            at += 2;
            long length = (token & 15) + MIN_MATCH;
            if ((token & 15) == 15) {
                int next;
                do {
                    if (at >= end) {
                        return -1;
                    }
                    next = in.get(JAVA_BYTE, at++) & 0xFF;
                    length += next;
                } while (next == 255);
            }
            if (distance == 0 || distance > to || length > limit - to) {
                return -1;
            }
            copyMatch(out, to, distance, length, limit);
            to += length;
        }
        return to;
    }

    /// Copies `length` bytes from `distance` before `to`; they may overlap, which repeats them.
    private static void copyMatch(MemorySegment out, long to, int distance, long length, long limit) {
        long from = to - distance;
        long end = to + length;
        if (distance >= 8 && end + 8 <= limit) {
            if (length > 64 && distance >= length) {
                MemorySegment.copy(out, from, out, to, length);
                return;
            }
            // May write up to 7 bytes too many: they are overwritten by what follows.
            while (to < end) {
                out.set(JAVA_LONG_UNALIGNED, to, out.get(JAVA_LONG_UNALIGNED, from));
                to += 8;
                from += 8;
            }
            return;
        }
        while (to < end) {
            out.set(JAVA_BYTE, to++, out.get(JAVA_BYTE, from++));
        }
    }

    private static void copy16(MemorySegment from, long fromAt, MemorySegment to, long toAt) {
        to.set(JAVA_LONG_UNALIGNED, toAt, from.get(JAVA_LONG_UNALIGNED, fromAt));
        to.set(JAVA_LONG_UNALIGNED, toAt + 8, from.get(JAVA_LONG_UNALIGNED, fromAt + 8));
    }
}
