package dev.millrace.internal.parquet.encode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.internal.buffer.GrowingBuffer;
import java.lang.foreign.MemorySegment;

/// Writes the delta encodings, from values in plain encoding.
public final class DeltaWriter {
    private static final int BLOCK = 128;
    private static final int MINIBLOCKS = 4;
    private static final int MINI = BLOCK / MINIBLOCKS;

    private final long[] deltas = new long[BLOCK];

    /// Integers: the differences of neighbours, in blocks, each relative to its minimum and bit-packed.
    ///
    /// @param width 4 or 8
    public void integers(MemorySegment plain, int count, int width, GrowingBuffer out) {
        begin(count, count == 0 ? 0 : number(plain, 0, width), out);
        long last = count == 0 ? 0 : number(plain, 0, width);
        int filled = 0;
        for (int i = 1; i < count; i++) {
            long next = number(plain, i, width);
            long delta = next - last;
            deltas[filled++] = width == Integer.BYTES ? (int) delta : delta;
            last = next;
            if (filled == BLOCK) {
                block(filled, width, out);
                filled = 0;
            }
        }
        if (filled > 0) {
            block(filled, width, out);
        }
    }

    private static void begin(int count, long first, GrowingBuffer out) {
        out.putVarint(BLOCK);
        out.putVarint(MINIBLOCKS);
        out.putVarint(count);
        out.putZigzag(first);
    }

    private static long number(MemorySegment plain, long index, int width) {
        return width == Integer.BYTES
                ? plain.get(JAVA_INT_UNALIGNED, index << 2)
                : plain.get(JAVA_LONG_UNALIGNED, index << 3);
    }

    private void block(int filled, int width, GrowingBuffer out) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < filled; i++) {
            least = Math.min(least, deltas[i]);
        }
        out.putZigzag(least);
        long mask = width == Integer.BYTES ? 0xFFFF_FFFFL : -1L;
        for (int i = 0; i < BLOCK; i++) {
            deltas[i] = i < filled ? deltas[i] - least & mask : 0;
        }
        long widths = out.size();
        out.putInt(0);
        for (int mini = 0; mini < MINIBLOCKS && mini * MINI < filled; mini++) {
            long all = 0;
            for (int i = mini * MINI; i < (mini + 1) * MINI; i++) {
                all |= deltas[i];
            }
            int bits = Long.SIZE - Long.numberOfLeadingZeros(all);
            out.memory().set(JAVA_BYTE, widths + mini, (byte) bits);
            pack(mini * MINI, bits, out);
        }
    }

    private void pack(int from, int bits, GrowingBuffer out) {
        long bytes = (long) bits * MINI / 8;
        MemorySegment memory = out.reserve(bytes + 8);
        long at = out.size();
        long word = 0;
        int filled = 0;
        for (int i = from; bits > 0 && i < from + MINI; i++) {
            word |= deltas[i] << filled;
            filled += bits;
            if (filled >= 64) {
                memory.set(JAVA_LONG_UNALIGNED, at, word);
                at += 8;
                filled -= 64;
                word = filled == 0 ? 0 : deltas[i] >>> (bits - filled);
            }
        }
        memory.set(JAVA_LONG_UNALIGNED, at, word);
        out.size(out.size() + bytes);
    }

    /// Byte strings: all lengths, then all bytes.
    public void lengths(MemorySegment plain, int count, GrowingBuffer scratch, GrowingBuffer out) {
        scratch.clear();
        long at = 0;
        for (int i = 0; i < count; i++) {
            int length = plain.get(JAVA_INT_UNALIGNED, at);
            scratch.putInt(length);
            at += 4L + length;
        }
        integers(scratch.memory(), count, Integer.BYTES, out);
        at = 0;
        for (int i = 0; i < count; i++) {
            int length = plain.get(JAVA_INT_UNALIGNED, at);
            out.put(plain, at + 4, length);
            at += 4L + length;
        }
    }

    /// Byte strings: the length of the prefix that each shares with the previous one, then all suffixes.
    public void strings(MemorySegment plain, int count, GrowingBuffer scratch, GrowingBuffer rests, GrowingBuffer out) {
        scratch.clear();
        rests.clear();
        long before = 0;
        int lengthBefore = 0;
        long at = 0;
        for (int i = 0; i < count; i++) {
            int length = plain.get(JAVA_INT_UNALIGNED, at);
            long from = at + 4;
            int common = 0;
            int most = Math.min(length, lengthBefore);
            while (common < most && plain.get(JAVA_BYTE, before + common) == plain.get(JAVA_BYTE, from + common)) {
                common++;
            }
            scratch.putInt(common);
            rests.putInt(length - common);
            rests.put(plain, from + common, length - common);
            before = from;
            lengthBefore = length;
            at = from + length;
        }
        integers(scratch.memory(), count, Integer.BYTES, out);
        lengths(rests.memory(), count, scratch, out);
    }
}
