package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Bits;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Bitmaps on the heap, one bit per row in words of 64, used to combine validity and truth values. A bitmap of 1 M rows
/// is 128 KiB and lives for one kernel. The bits after the last row are undefined unless a method says otherwise.
final class BitWords {
    private BitWords() {}

    static int words(long rows) {
        return Math.toIntExact((rows + 63) >>> 6);
    }

    static boolean get(long[] words, long row) {
        return (words[(int) (row >>> 6)] >>> row & 1) != 0;
    }

    static void set(long[] words, long row) {
        words[(int) (row >>> 6)] |= 1L << row;
    }

    static void clear(long[] words, long row) {
        words[(int) (row >>> 6)] &= ~(1L << row);
    }

    static long[] all(long rows) {
        long[] words = new long[words(rows)];
        Arrays.fill(words, -1L);
        return words;
    }

    /// Clears the bits after the last row.
    static long[] trim(long[] words, long rows) {
        if ((rows & 63) != 0) {
            words[words.length - 1] &= -1L >>> (64 - (rows & 63));
        }
        return words;
    }

    static long count(long[] words, long rows) {
        long count = 0;
        int whole = (int) (rows >>> 6);
        for (int i = 0; i < whole; i++) {
            count += Long.bitCount(words[i]);
        }
        return (rows & 63) == 0 ? count : count + Long.bitCount(words[whole] & -1L >>> (64 - (rows & 63)));
    }

    static boolean isEmpty(long[] words, long rows) {
        return count(words, rows) == 0;
    }

    /// The bits set in both; null means all rows.
    static long @Nullable [] both(long @Nullable [] a, long @Nullable [] b) {
        return a == null ? b : and(a, b);
    }

    /// The bits set in both.
    ///
    /// @param b null for all rows
    static long[] and(long[] a, long @Nullable [] b) {
        if (b == null) {
            return a;
        }
        long[] both = new long[a.length];
        for (int i = 0; i < both.length; i++) {
            both[i] = a[i] & b[i];
        }
        return both;
    }

    /// @param a null for all rows
    static long[] andNot(long @Nullable [] a, long[] b) {
        long[] rest = new long[b.length];
        for (int i = 0; i < rest.length; i++) {
            rest[i] = (a == null ? -1L : a[i]) & ~b[i];
        }
        return rest;
    }

    /// The rows of a column that are not null, or null if all are.
    static long @Nullable [] valid(Column column) {
        if (!column.hasNulls()) {
            return null;
        }
        if (column instanceof NullColumn) {
            return new long[words(column.length())];
        }
        if (column instanceof DictionaryColumn) {
            long[] words = new long[words(column.length())];
            for (long i = 0; i < column.length(); i++) {
                if (!column.isNull(i)) {
                    set(words, i);
                }
            }
            return words;
        }
        Buffer bits = requireNonNull(column.validityBuffer(), "a column with nulls has validity bits");
        return read(bits.segment(), column.validityOffset(), column.length());
    }

    static long[] values(BooleanColumn column) {
        return trim(read(column.dataBuffer().segment(), column.offset(), column.length()), column.length());
    }

    /// `rows` bits, starting at bit `from`.
    static long[] read(MemorySegment bits, long from, long rows) {
        long[] words = new long[words(rows)];
        long at = from >>> 3;
        int shift = (int) (from & 7);
        int whole = (int) (rows >>> 6);
        for (int i = 0; i < whole; i++, at += 8) {
            long low = bits.get(JAVA_LONG_UNALIGNED, at) >>> shift;
            words[i] = shift == 0 ? low : low | (long) bits.get(JAVA_BYTE, at + 8) << (64 - shift);
        }
        for (long row = (long) whole << 6; row < rows; row++) {
            if (Bits.get(bits, from + row)) {
                set(words, row);
            }
        }
        return words;
    }

    /// A buffer of the bits, starting at bit 0, with one reference.
    static Buffer toBuffer(long[] words, long rows, Allocator allocator) {
        Buffer buffer = allocator.allocate(8L * words.length);
        MemorySegment.copy(words, 0, buffer.segment(), JAVA_LONG_UNALIGNED, 0, words.length);
        return buffer;
    }
}
