package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.internal.parquet.format.Malformed;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Small numbers as runs of one value and as bit-packed groups of eight: levels, dictionary indices, booleans. Behind
/// the data there must be [Padding#BYTES] readable bytes.
public final class HybridReader {
    private MemorySegment data;
    private long at;
    private long end;
    private int bits;
    private int mask;

    /// Values left in the current run.
    private int left;

    private boolean packed;
    private int value;
    /// Of a packed run: the bit of its next value.
    private long bit;

    public void reset(MemorySegment source, long from, long to, int bitWidth) {
        if (bitWidth < 0 || bitWidth > 32) {
            throw new Malformed("bit-packed values of " + bitWidth + " bits");
        }
        data = source;
        at = from;
        end = to;
        bits = bitWidth;
        mask = bitWidth == 32 ? -1 : (1 << bitWidth) - 1;
        packed = false;
        value = 0;
        // Without bits there is nothing to read: all values are 0.
        left = bitWidth == 0 ? Integer.MAX_VALUE : 0;
    }

    private void nextRun() {
        if (bits == 0) {
            left = Integer.MAX_VALUE;
            return;
        }
        while (left == 0) {
            long header = varint();
            packed = (header & 1) == 1;
            if (packed) {
                long bytes = (header >>> 1) * bits;
                bit = at << 3;
                // The last group may be cut off behind its last value.
                long there = Math.min(bytes, end - at);
                left = (int) Math.min(Integer.MAX_VALUE, (there << 3) / bits);
                at += there;
            } else {
                left = (int) Math.min(Integer.MAX_VALUE, header >>> 1);
                value = runValue();
            }
        }
    }

    private int runValue() {
        int bytes = (bits + 7) >>> 3;
        if (at + bytes > end) {
            throw new Malformed("a run of values ends too early");
        }
        int run = 0;
        for (int i = 0; i < bytes; i++) {
            run |= (data.get(JAVA_BYTE, at++) & 0xFF) << (8 * i);
        }
        return run & mask;
    }

    private long varint() {
        long number = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            if (at >= end) {
                throw new Malformed("a run of values ends too early");
            }
            int b = data.get(JAVA_BYTE, at++);
            number |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return number;
            }
        }
        throw new Malformed("the length of a run has more than five bytes");
    }

    /// Consumes `count` values if they are one run of `wanted`, as the levels of a column without nulls are.
    public boolean tryRun(int wanted, int count) {
        if (left == 0) {
            nextRun();
        }
        if (packed || value != wanted || left < count) {
            return false;
        }
        left -= count;
        return true;
    }

    public void read(int[] target, int from, int count) {
        int done = 0;
        while (done < count) {
            if (left == 0) {
                nextRun();
            }
            int n = Math.min(left, count - done);
            if (packed) {
                unpack(target, from + done, n);
            } else {
                Arrays.fill(target, from + done, from + done + n, value);
            }
            left -= n;
            done += n;
        }
    }

    /// The same for values below 128: levels.
    public void read(byte[] target, int from, int count) {
        int done = 0;
        while (done < count) {
            if (left == 0) {
                nextRun();
            }
            int n = Math.min(left, count - done);
            if (packed) {
                for (int i = from + done; i < from + done + n; i++) {
                    target[i] = (byte) ((int) (data.get(JAVA_LONG_UNALIGNED, bit >>> 3) >>> (bit & 7)) & mask);
                    bit += bits;
                }
            } else {
                Arrays.fill(target, from + done, from + done + n, (byte) value);
            }
            left -= n;
            done += n;
        }
    }

    private void unpack(int[] target, int from, int count) {
        int i = from;
        int to = from + count;
        // Up to the next whole group, which begins at a whole byte.
        for (; i < to && (bit & 7) != 0; i++) {
            target[i] = one();
        }
        if (i == to) {
            return;
        }
        if (bits <= 8) {
            i = unpackNarrow(target, i, to);
        } else if (bits <= 15) {
            i = unpackMiddle(target, i, to);
        } else if (bits <= 28) {
            i = unpackWide(target, i, to);
        }
        for (; i < to; i++) {
            target[i] = one();
        }
    }

    private int one() {
        int unpacked = (int) (data.get(JAVA_LONG_UNALIGNED, bit >>> 3) >>> (bit & 7)) & mask;
        bit += bits;
        return unpacked;
    }

    /// Eight values out of one word.
    private int unpackNarrow(int[] target, int from, int to) {
        int i = from;
        MemorySegment source = data;
        int width = bits;
        int only = mask;
        long start = bit >>> 3;
        for (; i <= to - 8; i += 8) {
            long word = source.get(JAVA_LONG_UNALIGNED, start);
            target[i] = (int) word & only;
            target[i + 1] = (int) (word >>> width) & only;
            target[i + 2] = (int) (word >>> 2 * width) & only;
            target[i + 3] = (int) (word >>> 3 * width) & only;
            target[i + 4] = (int) (word >>> 4 * width) & only;
            target[i + 5] = (int) (word >>> 5 * width) & only;
            target[i + 6] = (int) (word >>> 6 * width) & only;
            target[i + 7] = (int) (word >>> 7 * width) & only;
            start += width;
        }
        bit = start << 3;
        return i;
    }

    /// Eight values out of two words; the second half begins in the middle of a byte where the width is odd.
    private int unpackMiddle(int[] target, int from, int to) {
        int i = from;
        MemorySegment source = data;
        int width = bits;
        int only = mask;
        long start = bit >>> 3;
        int half = width >>> 1;
        int shift = (width & 1) << 2;
        for (; i <= to - 8; i += 8) {
            long word = source.get(JAVA_LONG_UNALIGNED, start);
            target[i] = (int) word & only;
            target[i + 1] = (int) (word >>> width) & only;
            target[i + 2] = (int) (word >>> 2 * width) & only;
            target[i + 3] = (int) (word >>> 3 * width) & only;
            long second = source.get(JAVA_LONG_UNALIGNED, start + half) >>> shift;
            target[i + 4] = (int) second & only;
            target[i + 5] = (int) (second >>> width) & only;
            target[i + 6] = (int) (second >>> 2 * width) & only;
            target[i + 7] = (int) (second >>> 3 * width) & only;
            start += width;
        }
        bit = start << 3;
        return i;
    }

    /// Eight values out of four words, each of which begins up to six bits into a byte.
    private int unpackWide(int[] target, int from, int to) {
        int i = from;
        MemorySegment source = data;
        int width = bits;
        int only = mask;
        long start = bit >>> 3;
        int second = 2 * width >>> 3;
        int third = 4 * width >>> 3;
        int fourth = 6 * width >>> 3;
        int secondShift = 2 * width & 7;
        int thirdShift = 4 * width & 7;
        int fourthShift = 6 * width & 7;
        for (; i <= to - 8; i += 8) {
            long word = source.get(JAVA_LONG_UNALIGNED, start);
            target[i] = (int) word & only;
            target[i + 1] = (int) (word >>> width) & only;
            word = source.get(JAVA_LONG_UNALIGNED, start + second) >>> secondShift;
            target[i + 2] = (int) word & only;
            target[i + 3] = (int) (word >>> width) & only;
            word = source.get(JAVA_LONG_UNALIGNED, start + third) >>> thirdShift;
            target[i + 4] = (int) word & only;
            target[i + 5] = (int) (word >>> width) & only;
            word = source.get(JAVA_LONG_UNALIGNED, start + fourth) >>> fourthShift;
            target[i + 6] = (int) word & only;
            target[i + 7] = (int) (word >>> width) & only;
            start += width;
        }
        bit = start << 3;
        return i;
    }

    public void skip(int count) {
        int todo = count;
        while (todo > 0) {
            if (left == 0) {
                nextRun();
            }
            int n = Math.min(left, todo);
            bit += (long) n * bits;
            left -= n;
            todo -= n;
        }
    }
}
