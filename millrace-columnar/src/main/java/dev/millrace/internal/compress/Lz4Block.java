package dev.millrace.internal.compress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The LZ4 block format: sequences of literals and of matches up to 64 KiB back. Implemented in plain Java because the
/// available libraries either cause JVM warnings (native access, Unsafe) or cannot decode blocks that refer to earlier
/// ones, which pyarrow writes. Works on arrays, one block at a time, which stay in cache.
final class Lz4Block {
    /// The maximum distance of a match.
    static final int MAX_DISTANCE = 65535;
    /// Bytes after the end of its output that [#decode] may overwrite.
    static final int SLACK = 32;

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MIN_MATCH = 4;
    /// The last bytes of a block are always literals: a match starts at least 12 and ends at least 5 bytes before the
    /// end.
    private static final int LAST_MATCH_START = 12;

    private static final int LAST_LITERALS = 5;
    private static final int HASH_BITS = 13;
    private static final int MISS_SHIFT = 6;

    private Lz4Block() {}

    /// The maximum number of bytes that [#encode] writes for `bytes` of input.
    static int maxEncoded(int bytes) {
        return bytes + bytes / 255 + 16 + SLACK;
    }

    /// The hash table for [#encode], which is reused between blocks.
    static int[] newTable() {
        return new int[1 << HASH_BITS];
    }

    /// Encodes `in[0, end)` as one block at the start of `out`; returns its length. `out` has [#maxEncoded] bytes.
    static int encode(byte[] in, int end, byte[] out, int[] table) {
        int lastMatchStart = end - LAST_MATCH_START;
        Arrays.fill(table, 0);
        int anchor = 0;
        int at = 1; // position 0 is what an empty table entry points to
        int to = 0;
        int misses = 1 << MISS_SHIFT;
        while (at <= lastMatchStart) {
            int word = (int) INT.get(in, at);
            int slot = hash(word);
            int match = table[slot];
            table[slot] = at;
            if (at - match > MAX_DISTANCE || (int) INT.get(in, match) != word) {
                at += misses++ >>> MISS_SHIFT;
                continue;
            }
            misses = 1 << MISS_SHIFT;
            while (at > anchor && match > 0 && in[at - 1] == in[match - 1]) {
                at--;
                match--;
            }
            int length = MIN_MATCH + matching(in, at + MIN_MATCH, match + MIN_MATCH, end - LAST_LITERALS);
            to = writeSequence(in, anchor, at, out, to, at - match, length);
            at += length;
            anchor = at;
            if (at <= lastMatchStart) {
                table[hash((int) INT.get(in, at - 2))] = at - 2;
            }
        }
        return writeLiterals(in, anchor, end, out, to, 0);
    }

    private static int hash(int word) {
        return (word * -1640531535) >>> (32 - HASH_BITS);
    }

    /// The number of equal bytes starting at `a` and `b`, with `a` staying below `end`.
    private static int matching(byte[] in, int a, int b, int end) {
        int from = a;
        while (a + 8 <= end) {
            long difference = (long) LONG.get(in, a) ^ (long) LONG.get(in, b);
            if (difference != 0) {
                return a - from + (Long.numberOfTrailingZeros(difference) >>> 3);
            }
            a += 8;
            b += 8;
        }
        while (a < end && in[a] == in[b]) {
            a++;
            b++;
        }
        return a - from;
    }

    private static int writeSequence(byte[] in, int literals, int end, byte[] out, int to, int distance, int length) {
        int rest = length - MIN_MATCH;
        int at = writeLiterals(in, literals, end, out, to, Math.min(rest, 15));
        SHORT.set(out, at, (short) distance);
        return rest < 15 ? at + 2 : writeLength(out, at + 2, rest - 15);
    }

    private static int writeLiterals(byte[] in, int from, int end, byte[] out, int to, int match) {
        int count = end - from;
        out[to] = (byte) (Math.min(count, 15) << 4 | match);
        int at = count < 15 ? to + 1 : writeLength(out, to + 1, count - 15);
        if (count <= 16 && from + 16 <= in.length) {
            copy16(in, from, out, at);
        } else {
            System.arraycopy(in, from, out, at, count);
        }
        return at + count;
    }

    private static int writeLength(byte[] out, int at, int rest) {
        while (rest >= 255) {
            out[at++] = (byte) 255;
            rest -= 255;
        }
        out[at++] = (byte) rest;
        return at;
    }

    /// Decodes the block `in[0, end)` to `out`, starting at `start`; matches may reach back to the start of `out`.
    /// Returns the position after the last byte written, or -1 if the block is malformed or exceeds `limit`, which is
    /// at least [#SLACK] before the end of `out`.
    static int decode(byte[] in, int end, byte[] out, int start, int limit) {
        int at = 0;
        int to = start;
        int safeAt = end - 32;
        int safeTo = limit - 32;
        while (at < end) {
            int token = in[at++] & 0xFF;
            int literals = token >>> 4;
            // Nearly all sequences are short and in the middle of the block: copies more than needed to save checks.
            if (literals < 15 && at < safeAt && to < safeTo) {
                copy16(in, at, out, to);
                int from = to + literals - ((short) SHORT.get(in, at + literals) & 0xFFFF);
                int match = token & 15;
                if (match < 15 && from >= 0 && to + literals - from >= 8) {
                    at += literals + 2;
                    to += literals;
                    LONG.set(out, to, (long) LONG.get(out, from));
                    LONG.set(out, to + 8, (long) LONG.get(out, from + 8));
                    SHORT.set(out, to + 16, (short) SHORT.get(out, from + 16));
                    to += match + MIN_MATCH;
                    continue;
                }
            }
            if (literals == 15) {
                int next;
                do {
                    if (at >= end) {
                        return -1;
                    }
                    next = in[at++] & 0xFF;
                    literals += next;
                } while (next == 255);
            }
            if (literals > end - at || literals > limit - to) {
                return -1;
            }
            if (literals <= 16 && at + 16 <= in.length) {
                copy16(in, at, out, to);
            } else {
                System.arraycopy(in, at, out, to, literals);
            }
            at += literals;
            to += literals;
            if (at == end) {
                return to;
            }
            if (at + 2 > end) {
                return -1;
            }
            int distance = (short) SHORT.get(in, at) & 0xFFFF;
            at += 2;
            int length = (token & 15) + MIN_MATCH;
            if (length == 15 + MIN_MATCH) {
                int next;
                do {
                    if (at >= end) {
                        return -1;
                    }
                    next = in[at++] & 0xFF;
                    length += next;
                } while (next == 255);
            }
            if (distance == 0 || distance > to || length > limit - to) {
                return -1;
            }
            copyMatch(out, to, distance, length);
            to += length;
        }
        return to;
    }

    /// Copies `length` bytes from `distance` before `to`; the ranges may overlap, which repeats bytes. May write up to
    /// [#SLACK] excess bytes, which are overwritten by what follows.
    private static void copyMatch(byte[] out, int to, int distance, int length) {
        int from = to - distance;
        int end = to + length;
        if (distance >= 16 && length <= 32) {
            copy16(out, from, out, to);
            if (length > 16) {
                copy16(out, from + 16, out, to + 16);
            }
        } else if (distance >= length) {
            System.arraycopy(out, from, out, to, length);
        } else if (distance >= 8) {
            for (; to < end; to += 8, from += 8) {
                LONG.set(out, to, (long) LONG.get(out, from));
            }
        } else {
            while (to < end) {
                out[to++] = out[from++];
            }
        }
    }

    private static void copy16(byte[] from, int fromAt, byte[] to, int toAt) {
        long low = (long) LONG.get(from, fromAt);
        long high = (long) LONG.get(from, fromAt + 8);
        LONG.set(to, toAt, low);
        LONG.set(to, toAt + 8, high);
    }
}
