package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.millrace.internal.parquet.format.MalformedParquet;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A dictionary of values in the layout of a column. An index beyond it throws an IndexOutOfBoundsException.
final class FixedDictionary {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};
    private static final byte[] NO_BYTES = {};

    private final int width;
    private final int size;
    /// The values are in one of these arrays, by their width, or in `words`; the others are empty.
    private final int[] ints;
    private final long[] longs;
    private final byte[] bytes;
    /// Whether `longs` contains decimals without their upper half, which is only the sign: half the memory to look up
    /// in.
    private final boolean narrow;
    /// Whether 8-byte values are looked up in place: in `words`, from `wordsFrom` on.
    private final boolean inPlace;
    private final byte[] words;
    private final int wordsFrom;

    /// Copies `size` values of `width` bytes each.
    public FixedDictionary(MemorySegment values, int width, int size) {
        this.width = width;
        this.size = size;
        narrow = false;
        inPlace = false;
        words = NO_BYTES;
        wordsFrom = 0;
        boolean isInts = width <= 4 && width != 3;
        boolean isLongs = width == 8 || width == 16;
        ints = isInts ? new int[size] : NO_INTS;
        longs = isLongs ? new long[size * (width >>> 3)] : NO_LONGS;
        bytes = isInts || isLongs
                ? NO_BYTES
                : values.asSlice(0, (long) size * width).toArray(JAVA_BYTE);
        if (isInts) {
            for (int i = 0; i < size; i++) {
                ints[i] = switch (width) {
                    case 1 -> values.get(JAVA_BYTE, i);
                    case 2 -> values.get(JAVA_SHORT_UNALIGNED, 2L * i);
                    default -> values.get(JAVA_INT_UNALIGNED, 4L * i);
                };
            }
        } else if (isLongs) {
            MemorySegment.copy(values, JAVA_LONG_UNALIGNED, 0, longs, 0, longs.length);
        }
    }

    private FixedDictionary(long[] decimals) {
        width = 16;
        size = decimals.length;
        narrow = true;
        ints = NO_INTS;
        longs = decimals;
        bytes = NO_BYTES;
        inPlace = false;
        words = NO_BYTES;
        wordsFrom = 0;
    }

    private FixedDictionary(byte[] words, int from, int size, boolean decimals) {
        this.width = decimals ? 16 : 8;
        this.size = size;
        this.narrow = decimals;
        this.inPlace = true;
        this.words = words;
        this.wordsFrom = from;
        ints = NO_INTS;
        longs = NO_LONGS;
        bytes = NO_BYTES;
    }

    /// 8-byte integers, or decimals stored as such, looked up in place: in `data`, which must not change while the
    /// dictionary is used. Null if `data` is not backed by an array.
    static @Nullable FixedDictionary inPlace(MemorySegment data, long from, long end, int size, boolean decimals) {
        if (!(data.heapBase().orElse(null) instanceof byte[] array) || (long) size * Long.BYTES > end - from) {
            return null;
        }
        return new FixedDictionary(array, (int) (data.address() + from), size, decimals);
    }

    /// Decimals stored as integers of 4 or 8 bytes (`storedWidth`).
    static FixedDictionary decimals(MemorySegment data, long from, long end, int storedWidth, int size) {
        if ((long) size * storedWidth > end - from) {
            throw new MalformedParquet("a dictionary of " + size + " values in " + (end - from) + " bytes");
        }
        long[] values = new long[size];
        if (storedWidth == Long.BYTES) {
            MemorySegment.copy(data, JAVA_LONG_UNALIGNED, from, values, 0, size);
        } else {
            for (int i = 0; i < size; i++) {
                values[i] = data.get(JAVA_INT_UNALIGNED, from + 4L * i);
            }
        }
        return new FixedDictionary(values);
    }

    public int size() {
        return size;
    }

    /// Writes the values for the first `count` of `indices`.
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
            case 8 -> {
                if (inPlace) {
                    gatherWords(indices, count, target, at);
                } else {
                    gather(longs, indices, count, target, at);
                }
            }
            case 16 -> {
                if (inPlace) {
                    gatherDecimals(indices, count, target, at);
                } else if (narrow) {
                    gatherDecimals(longs, indices, count, target, at);
                } else {
                    gatherPairs(longs, indices, count, target, at);
                }
            }
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

    private static void gatherDecimals(long[] values, int[] indices, int count, MemorySegment target, long at) {
        for (int i = 0; i < count; i++) {
            long value = values[indices[i]];
            target.set(JAVA_LONG_UNALIGNED, at + 16L * i, value);
            target.set(JAVA_LONG_UNALIGNED, at + 16L * i + 8, value >> 63);
        }
    }

    private void gatherWords(int[] indices, int count, MemorySegment target, long at) {
        byte[] array = words;
        int from = wordsFrom;
        int values = size;
        for (int i = 0; i < count; i++) {
            target.set(JAVA_LONG_UNALIGNED, at + 8L * i, word(array, from, indices[i], values));
        }
    }

    private void gatherDecimals(int[] indices, int count, MemorySegment target, long at) {
        byte[] array = words;
        int from = wordsFrom;
        int values = size;
        for (int i = 0; i < count; i++) {
            long value = word(array, from, indices[i], values);
            target.set(JAVA_LONG_UNALIGNED, at + 16L * i, value);
            target.set(JAVA_LONG_UNALIGNED, at + 16L * i + 8, value >> 63);
        }
    }

    /// Checks the index against `size`, because the array may be larger than the dictionary.
    private static long word(byte[] array, int from, int index, int size) {
        return (long) WORD.get(array, from + Long.BYTES * Objects.checkIndex(index, size));
    }

    private static void gatherPairs(long[] values, int[] indices, int count, MemorySegment target, long at) {
        for (int i = 0; i < count; i++) {
            int index = 2 * indices[i];
            target.set(JAVA_LONG_UNALIGNED, at + 16L * i, values[index]);
            target.set(JAVA_LONG_UNALIGNED, at + 16L * i + 8, values[index + 1]);
        }
    }
}
