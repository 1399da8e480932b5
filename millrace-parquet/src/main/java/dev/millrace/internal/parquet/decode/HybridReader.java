package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.internal.parquet.format.MalformedParquet;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The hybrid of run-length encoding and bit-packing (groups of eight): levels, dictionary indices, booleans. The data
/// must be followed by [WordPadding#BYTES] readable bytes.
public final class HybridReader {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /// The number of values that are unpacked at once, and their maximum width for that.
    private static final int AT_ONCE = 1024;

    private static final int MAX_BITS = 28;

    private MemorySegment data = MemorySegment.NULL;
    private long at;
    private long end;
    private int bits;
    private int mask;

    /// The number of values left in the current run.
    private int left;

    private boolean packed;
    private int value;
    /// In a bit-packed run: the bit offset of its next value.
    private long bit;

    private byte @Nullable [] some;

    public void reset(MemorySegment source, long from, long to, int bitWidth) {
        if (bitWidth < 0 || bitWidth > 32) {
            throw new MalformedParquet("bit-packed values of " + bitWidth + " bits");
        }
        data = source;
        at = from;
        end = to;
        bits = bitWidth;
        mask = bitWidth == 32 ? -1 : (1 << bitWidth) - 1;
        packed = false;
        value = 0;
        // With a bit width of 0 there is nothing to read: all values are 0.
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
                // The last group may be truncated after its last value.
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
            throw new MalformedParquet("a run of values ends too early");
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
                throw new MalformedParquet("a run of values ends too early");
            }
            int b = data.get(JAVA_BYTE, at++);
            number |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return number;
            }
        }
        throw new MalformedParquet("the length of a run has more than five bytes");
    }

    /// Consumes `count` values if they are a single run of `wanted`, as the levels of a column without nulls are.
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

    /// The same for values below 128, such as levels.
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
        // Up to the next whole group, which begins at a byte boundary.
        for (; i < to && (bit & 7) != 0; i++) {
            target[i] = one();
        }
        while (bits <= MAX_BITS && i <= to - 8) {
            int n = Math.min(to - i, AT_ONCE) & -8;
            groups(target, i, n);
            i += n;
        }
        for (; i < to; i++) {
            target[i] = one();
        }
    }

    /// Unpacks whole groups of eight from a copy in an array: such code is small and gets compiled early.
    private void groups(int[] target, int from, int count) {
        if (some == null) {
            some = new byte[AT_ONCE / 8 * MAX_BITS + 8];
        }
        int bytes = count / 8 * bits;
        MemorySegment.copy(data, JAVA_BYTE, bit >>> 3, some, 0, bytes + 8);
        bit += (long) bytes << 3;
        if (bits <= 8) {
            narrow(some, bits, mask, target, from, from + count);
        } else if (bits <= 15) {
            middle(some, bits, mask, target, from, from + count);
        } else {
            wide(some, bits, mask, target, from, from + count);
        }
    }

    private int one() {
        int unpacked = (int) (data.get(JAVA_LONG_UNALIGNED, bit >>> 3) >>> (bit & 7)) & mask;
        bit += bits;
        return unpacked;
    }

    /// Eight values from one word.
    private static void narrow(byte[] source, int width, int only, int[] target, int from, int to) {
        int start = 0;
        for (int i = from; i < to; i += 8) {
            long word = (long) LONG.get(source, start);
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
    }

    /// Eight values from two words; the second half begins in the middle of a byte if the width is odd.
    private static void middle(byte[] source, int width, int only, int[] target, int from, int to) {
        int start = 0;
        int half = width >>> 1;
        int shift = (width & 1) << 2;
        for (int i = from; i < to; i += 8) {
            long word = (long) LONG.get(source, start);
            target[i] = (int) word & only;
            target[i + 1] = (int) (word >>> width) & only;
            target[i + 2] = (int) (word >>> 2 * width) & only;
            target[i + 3] = (int) (word >>> 3 * width) & only;
            long second = (long) LONG.get(source, start + half) >>> shift;
            target[i + 4] = (int) second & only;
            target[i + 5] = (int) (second >>> width) & only;
            target[i + 6] = (int) (second >>> 2 * width) & only;
            target[i + 7] = (int) (second >>> 3 * width) & only;
            start += width;
        }
    }

    /// Eight values from four words, each of which begins up to six bits into a byte.
    private static void wide(byte[] source, int width, int only, int[] target, int from, int to) {
        int start = 0;
        int second = 2 * width >>> 3;
        int third = 4 * width >>> 3;
        int fourth = 6 * width >>> 3;
        int secondShift = 2 * width & 7;
        int thirdShift = 4 * width & 7;
        int fourthShift = 6 * width & 7;
        for (int i = from; i < to; i += 8) {
            long word = (long) LONG.get(source, start);
            target[i] = (int) word & only;
            target[i + 1] = (int) (word >>> width) & only;
            word = (long) LONG.get(source, start + second) >>> secondShift;
            target[i + 2] = (int) word & only;
            target[i + 3] = (int) (word >>> width) & only;
            word = (long) LONG.get(source, start + third) >>> thirdShift;
            target[i + 4] = (int) word & only;
            target[i + 5] = (int) (word >>> width) & only;
            word = (long) LONG.get(source, start + fourth) >>> fourthShift;
            target[i + 6] = (int) word & only;
            target[i + 7] = (int) (word >>> width) & only;
            start += width;
        }
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
