package dev.millrace.internal.parquet.read;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.internal.parquet.decode.WordPadding;
import dev.millrace.internal.parquet.format.MalformedParquet;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Decompresses Snappy blocks of numbers. Dictionaries of numbers compress to an alternation of short literals and
/// copies: both are decoded from one word here, without an unpredictable branch. For such pages this is nearly twice as
/// fast as the native library; for text it is slower. The target is an array, because an array access costs one
/// comparison and a memory segment access several.
final class SnappyBlocks {
    /// Larger blocks are decompressed by the native library, not into arrays.
    static final int MAX_BYTES = 4 << 20;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /// For each tag of a copy with an offset of one or two bytes: the length (bits 0 to 7), the part of the offset in
    /// the tag (8 to 10), and the mask of the bits after the tag that contain the rest (16 to 31).
    private static final int[] COPIES = new int[256];

    static {
        for (int tag = 0; tag < 256; tag++) {
            COPIES[tag] = switch (tag & 3) {
                case 1 -> 0xFF << 16 | tag >>> 5 << 8 | (tag >>> 2 & 7) + 4;
                case 2 -> 0xFFFF << 16 | (tag >>> 2) + 1;
                default -> 0;
            };
        }
    }

    private SnappyBlocks() {}

    /// Decompresses bytes `from` to `end` of `source` into `target`; the result must have exactly `stop` bytes. Source
    /// and target must be followed by [WordPadding#BYTES].
    static void decompress(MemorySegment source, long from, long end, byte[] target, int stop) {
        if (source.byteSize() < end + WordPadding.BYTES || target.length < stop + WordPadding.BYTES) {
            throw new IllegalArgumentException("without padding");
        }
        elements(source, afterLength(source, from, end, stop), end, target, stop);
    }

    private static void elements(MemorySegment source, long from, long end, byte[] target, int stop) {
        long in = from;
        int out = 0;
        // Before these limits it is safe to read a word, and to write a literal and a copy of one word each.
        long lastIn = end - 8;
        int lastOut = stop - 12;
        while (in < end) {
            if (in <= lastIn && out <= lastOut) {
                long word = source.get(JAVA_LONG_UNALIGNED, in);
                if ((word & 0xF3) == 0) {
                    // A literal of up to four bytes. The next tag and its offset are in the same word.
                    LONG.set(target, out, word >>> 8);
                    int count = ((int) word >>> 2 & 3) + 1;
                    word >>>= (((int) word & 0x0C) << 1) + 16;
                    in += 1 + count;
                    out += count;
                    if ((word & 3) == 0) {
                        continue;
                    }
                }
                int tag = (int) word;
                int copied = COPIES[tag & 0xFF];
                int count = copied & 0xFF;
                int distance = (tag >>> 8 & copied >>> 16) + (copied & 0x700);
                int copy = out - distance;
                // False if there is no such copy: then the distance is 0.
                if ((distance - 8 | copy | 8 - count) >= 0) {
                    LONG.set(target, out, (long) LONG.get(target, copy));
                    in += 1 + (tag & 3);
                    out += count;
                    continue;
                }
            }
            long passed = element(source, in, end, target, out, stop);
            in += passed >>> 32;
            out = (int) passed;
        }
        if (in != end || out != stop) {
            throw damaged();
        }
    }

    /// Decodes any literal or copy. Returns the number of bytes consumed from the source in the upper half, and the end
    /// in the target in the lower half.
    private static long element(MemorySegment source, long from, long end, byte[] target, int out, int stop) {
        int tag = source.get(JAVA_BYTE, from) & 0xFF;
        int rest = source.get(JAVA_INT_UNALIGNED, from + 1);
        int size = 1;
        int count = (tag >>> 2) + 1;
        int distance = 0;
        switch (tag & 3) {
            case 0 -> {
                if (count > 60) {
                    long bytes = (rest & 0xFFFF_FFFFL >>> (32 - 8 * (count - 60))) + 1;
                    if (bytes > stop - out) {
                        throw damaged();
                    }
                    size += count - 60;
                    count = (int) bytes;
                }
                if (count > end - from - size || count > stop - out) {
                    throw damaged();
                }
                MemorySegment.copy(source, JAVA_BYTE, from + size, target, out, count);
                return (long) (size + count) << 32 | out + count;
            }
            case 1 -> {
                count = (tag >>> 2 & 7) + 4;
                distance = tag >>> 5 << 8 | rest & 0xFF;
                size += 1;
            }
            case 2 -> {
                distance = rest & 0xFFFF;
                size += 2;
            }
            default -> {
                distance = rest;
                size += 4;
            }
        }
        if (distance <= 0 || distance > out || count > stop - out) {
            throw damaged();
        }
        again(target, out - distance, out, distance, count);
        return (long) size << 32 | out + count;
    }

    /// Copies earlier bytes, which may overlap those being written.
    private static void again(byte[] target, int copy, int out, int distance, int count) {
        if (distance >= 8) {
            for (int i = 0; i < count; i += 8) {
                LONG.set(target, out + i, (long) LONG.get(target, copy + i));
            }
        } else if (distance == 1) {
            Arrays.fill(target, out, out + count, target[copy]);
        } else {
            for (int i = 0; i < count; i++) {
                target[out + i] = target[copy + i];
            }
        }
    }

    /// Skips the uncompressed length at the start of the block.
    private static long afterLength(MemorySegment source, long from, long end, int length) {
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
                    throw new MalformedParquet(
                            "a page of " + length + " bytes claims to have " + claimed + " (SNAPPY)");
                }
                return in;
            }
        }
        throw damaged();
    }

    private static MalformedParquet damaged() {
        return new MalformedParquet("a page does not decompress (SNAPPY)");
    }
}
