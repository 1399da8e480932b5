package dev.millrace.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Finds the rows of a column that are not null, 64 at a time.
public final class PresentRows {
    private PresentRows() {}

    /// Writes the positions of the rows that are not null, counted from `from`, to the front of `positions`.
    ///
    /// @return how many they are
    public static int find(Column column, long from, int length, int[] positions) {
        Buffer validity = column.validityBuffer();
        if (validity == null || column instanceof DictionaryColumn) {
            return findOneByOne(column, from, length, positions);
        }
        MemorySegment bits = validity.segment();
        long first = column.validityOffset() + from;
        int found = 0;
        for (int at = 0; at < length; at += Long.SIZE) {
            long word = word(bits, first + at, Math.min(Long.SIZE, length - at));
            if (word == -1L) {
                for (int i = 0; i < Long.SIZE; i++) {
                    positions[found + i] = at + i;
                }
                found += Long.SIZE;
                continue;
            }
            for (; word != 0; word &= word - 1) {
                positions[found++] = at + Long.numberOfTrailingZeros(word);
            }
        }
        return found;
    }

    /// `count` bits, the others zero.
    private static long word(MemorySegment bits, long from, int count) {
        long at = from >>> 3;
        int shift = (int) (from & 7);
        if (count == Long.SIZE) {
            long low = bits.get(JAVA_LONG_UNALIGNED, at) >>> shift;
            return shift == 0 ? low : low | (long) bits.get(JAVA_BYTE, at + Long.BYTES) << Long.SIZE - shift;
        }
        long word = 0;
        for (int taken = 0; taken < count; at++) {
            word |= (bits.get(JAVA_BYTE, at) & 0xFFL) >>> shift << taken;
            taken += Byte.SIZE - shift;
            shift = 0;
        }
        return word & (1L << count) - 1;
    }

    private static int findOneByOne(Column column, long from, int length, int[] positions) {
        int found = 0;
        for (int i = 0; i < length; i++) {
            positions[found] = i;
            found += column.isNull(from + i) ? 0 : 1;
        }
        return found;
    }
}
