package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// A dictionary of values as a column holds them. An index beyond it throws an IndexOutOfBoundsException.
public final class FixedDictionary {
    private final int width;
    private final int size;
    private final int[] ints;
    private final long[] longs;
    private final byte[] bytes;

    /// Copies `size` values of `width` bytes.
    public FixedDictionary(MemorySegment values, int width, int size) {
        this.width = width;
        this.size = size;
        ints = width <= 4 && width != 3 ? new int[size] : null;
        longs = width == 8 || width == 16 ? new long[size * (width >>> 3)] : null;
        bytes = ints == null && longs == null ? values.asSlice(0, (long) size * width).toArray(JAVA_BYTE) : null;
        if (ints != null) {
            for (int i = 0; i < size; i++) {
                ints[i] = switch (width) {
                    case 1 -> values.get(JAVA_BYTE, i);
                    case 2 -> values.get(JAVA_SHORT_UNALIGNED, 2L * i);
                    default -> values.get(JAVA_INT_UNALIGNED, 4L * i);
                };
            }
        } else if (longs != null) {
            MemorySegment.copy(values, JAVA_LONG_UNALIGNED, 0, longs, 0, longs.length);
        }
    }

    public int size() {
        return size;
    }

    /// Writes the values that the first `count` of `indices` stand for.
    void gather(int[] indices, int count, MemorySegment target, long at) {
        switch (width) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    target.set(JAVA_BYTE, at + i, (byte) ints[indices[i]]);
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    target.set(JAVA_SHORT_UNALIGNED, at + 2L * i, (short) ints[indices[i]]);
                }
            }
            case 4 -> gather(ints, indices, count, target, at);
            case 8 -> gather(longs, indices, count, target, at);
            case 16 -> gatherPairs(longs, indices, count, target, at);
            default -> {
                for (int i = 0; i < count; i++) {
                    MemorySegment.copy(bytes, indices[i] * width, target, JAVA_BYTE, at + (long) i * width, width);
                }
            }
        }
    }

    private static void gather(int[] values, int[] indices, int count, MemorySegment target, long at) {
        for (int i = 0; i < count; i++) {
            target.set(JAVA_INT_UNALIGNED, at + 4L * i, values[indices[i]]);
        }
    }

    private static void gather(long[] values, int[] indices, int count, MemorySegment target, long at) {
        for (int i = 0; i < count; i++) {
            target.set(JAVA_LONG_UNALIGNED, at + 8L * i, values[indices[i]]);
        }
    }

    private static void gatherPairs(long[] values, int[] indices, int count, MemorySegment target, long at) {
        for (int i = 0; i < count; i++) {
            int index = 2 * indices[i];
            target.set(JAVA_LONG_UNALIGNED, at + 16L * i, values[index]);
            target.set(JAVA_LONG_UNALIGNED, at + 16L * i + 8, values[index + 1]);
        }
    }
}
