package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.internal.parquet.decode.Padding;
import dev.millrace.internal.parquet.format.Malformed;
import java.lang.foreign.MemorySegment;

/// Snappy blocks of numbers. What dictionaries of numbers compress to is a change of a few bytes and a copy of the
/// rest,
/// again and again: both are taken out of one word here, without a branch to guess. For such pages this is faster than
/// the native library; for text it is slower. Source and target must have [Padding#BYTES] behind them.
final class Snappy {
    private Snappy() {}

    /// Decompresses bytes `from` to `end` of `source` into `target` from `at` on; they must be exactly `length`.
    static void decompress(MemorySegment source, long from, long end, MemorySegment target, long at, long length) {
        if (source.byteSize() < end + Padding.BYTES || target.byteSize() < at + length + Padding.BYTES) {
            throw new IllegalArgumentException("without padding");
        }
        long in = afterLength(source, from, end, length);
        long out = at;
        long stop = at + length;
        while (in < end) {
            long word = source.get(JAVA_LONG_UNALIGNED, in);
            if ((word & 3) == 0) {
                int count = ((int) word >>> 2 & 63) + 1;
                if (count > 4) {
                    long bytes = count;
                    in++;
                    if (count > 60) {
                        int size = count - 60;
                        bytes = (source.get(JAVA_INT_UNALIGNED, in) & 0xFFFF_FFFFL >>> (32 - 8 * size)) + 1;
                        in += size;
                    }
                    if (bytes > end - in || bytes > stop - out) {
                        throw damaged();
                    }
                    if (bytes <= 16) {
                        target.set(JAVA_LONG_UNALIGNED, out, source.get(JAVA_LONG_UNALIGNED, in));
                        target.set(JAVA_LONG_UNALIGNED, out + 8, source.get(JAVA_LONG_UNALIGNED, in + 8));
                    } else {
                        MemorySegment.copy(source, in, target, out, bytes);
                    }
                    in += bytes;
                    out += bytes;
                    continue;
                }
                if (count > stop - out) {
                    throw damaged();
                }
                target.set(JAVA_LONG_UNALIGNED, out, word >>> 8);
                in += 1 + count;
                out += count;
                // The next tag and its distance are in the same word.
                word >>>= 8 + 8 * count;
                if ((word & 3) == 0 || in >= end) {
                    continue;
                }
            }
            int tag = (int) word;
            int kind = tag & 3;
            int count;
            long distance;
            if (kind == 3) {
                count = (tag >>> 2 & 63) + 1;
                distance = source.get(JAVA_INT_UNALIGNED, in + 1) & 0xFFFF_FFFFL;
                in += 5;
            } else {
                // Both forms are computed, and one is chosen by a mask.
                int near = -(kind & 1);
                int far = (tag >>> 2 & 63) + 1;
                count = far ^ (far ^ (tag >>> 2 & 7) + 4) & near;
                int wide = tag >>> 8 & 0xFFFF;
                distance = wide ^ (wide ^ ((tag & 0xE0) << 3 | tag >>> 8 & 0xFF)) & near;
                in += 1 + kind;
            }
            long copy = out - distance;
            if (distance == 0 || copy < at || count > stop - out) {
                throw damaged();
            }
            if (distance >= 8 && count <= 8) {
                target.set(JAVA_LONG_UNALIGNED, out, target.get(JAVA_LONG_UNALIGNED, copy));
            } else {
                again(target, copy, out, distance, count);
            }
            out += count;
        }
        if (in != end || out != stop) {
            throw damaged();
        }
    }

    /// Repeats earlier bytes, which may be those just written.
    private static void again(MemorySegment target, long copy, long out, long distance, int count) {
        if (distance >= 8) {
            for (int i = 0; i < count; i += 8) {
                target.set(JAVA_LONG_UNALIGNED, out + i, target.get(JAVA_LONG_UNALIGNED, copy + i));
            }
        } else {
            for (int i = 0; i < count; i++) {
                target.set(JAVA_BYTE, out + i, target.get(JAVA_BYTE, copy + i));
            }
        }
    }

    /// The block begins with its uncompressed length.
    private static long afterLength(MemorySegment source, long from, long end, long length) {
        long claimed = 0;
        long in = from;
        for (int shift = 0; shift < 35; shift += 7) {
            if (in >= end) {
                throw damaged();
            }
            int b = source.get(JAVA_BYTE, in++);
            claimed |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                if (claimed != length) {
                    throw new Malformed("a page of " + length + " bytes claims to have " + claimed + " (SNAPPY)");
                }
                return in;
            }
        }
        throw damaged();
    }

    private static Malformed damaged() {
        return new Malformed("a page does not decompress (SNAPPY)");
    }
}
