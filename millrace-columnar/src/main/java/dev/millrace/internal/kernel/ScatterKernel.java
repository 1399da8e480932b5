package dev.millrace.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Moves the values of a column to other places: each is read where it lies, one after the other, and written to its
/// place. Where the places are a few hundred ascending runs, as those of rows by partition, this is much faster than
/// gathering the values, each of which then misses the cache.
public final class ScatterKernel {
    private ScatterKernel() {}

    /// Whether [#move] supports the column.
    public static boolean isFor(Column column) {
        return column instanceof VariableWidthColumn bytes && bytes.extent() <= Integer.MAX_VALUE;
    }

    /// @param column for which [#isFor] is true
    /// @param places the place of each value: 32-bit numbers, each below the length and once
    /// @return the moved values, which the caller releases
    public static Column move(Allocator allocator, Column column, MemorySegment places) {
        VariableWidthColumn source = (VariableWidthColumn) column;
        int count = Math.toIntExact(source.length());
        try (ColumnParts made = new ColumnParts(allocator)) {
            Buffer offsets = made.buffer(OffsetRuns.bytesFor(count, Integer.BYTES));
            Buffer data = made.buffer(source.extent());
            if (count > 0) {
                writeOffsets(source, count, places, offsets.segment());
                writeBytes(source, count, places, offsets.segment(), data.segment());
            }
            Buffer validity = validity(made, source, count, places);
            return made.keep(VariableWidthColumn.of(
                    source.type(), count, offsets, Integer.BYTES, data, validity, 0, Column.UNKNOWN_NULLS));
        }
    }

    private static void writeOffsets(
            VariableWidthColumn source, int count, MemorySegment places, MemorySegment offsets) {
        long start = source.start(0);
        for (int row = 0; row < count; row++) {
            long end = source.end(row);
            offsets.setAtIndex(JAVA_INT, places.getAtIndex(JAVA_INT, row) + 1L, (int) (end - start));
            start = end;
        }
        int end = 0;
        offsets.setAtIndex(JAVA_INT, 0, 0);
        for (int place = 1; place <= count; place++) {
            end += offsets.getAtIndex(JAVA_INT, place);
            offsets.setAtIndex(JAVA_INT, place, end);
        }
    }

    private static void writeBytes(
            VariableWidthColumn source, int count, MemorySegment places, MemorySegment offsets, MemorySegment to) {
        MemorySegment from = source.dataSegment();
        long start = source.start(0);
        for (int row = 0; row < count; row++) {
            long end = source.end(row);
            copy(from, start, to, offsets.getAtIndex(JAVA_INT, places.getAtIndex(JAVA_INT, row)), end - start);
            start = end;
        }
    }

    /// Copies short values in words, the last of which overlaps the one before: neighbours may have been written
    /// already.
    private static void copy(MemorySegment from, long start, MemorySegment to, long at, long length) {
        if (length > 64) {
            MemorySegment.copy(from, start, to, at, length);
        } else if (length >= Long.BYTES) {
            long last = length - Long.BYTES;
            for (long k = 0; k < last; k += Long.BYTES) {
                to.set(JAVA_LONG_UNALIGNED, at + k, from.get(JAVA_LONG_UNALIGNED, start + k));
            }
            to.set(JAVA_LONG_UNALIGNED, at + last, from.get(JAVA_LONG_UNALIGNED, start + last));
        } else if (length >= Integer.BYTES) {
            long last = length - Integer.BYTES;
            to.set(JAVA_INT_UNALIGNED, at, from.get(JAVA_INT_UNALIGNED, start));
            to.set(JAVA_INT_UNALIGNED, at + last, from.get(JAVA_INT_UNALIGNED, start + last));
        } else {
            for (long k = 0; k < length; k++) {
                to.set(JAVA_BYTE, at + k, from.get(JAVA_BYTE, start + k));
            }
        }
    }

    private static @Nullable Buffer validity(
            ColumnParts made, VariableWidthColumn source, int count, MemorySegment places) {
        if (!source.hasNulls()) {
            return null;
        }
        Buffer validity = made.add(made.allocator.allocateZeroed((count + 7L) / 8));
        MemorySegment bits = requireNonNull(source.validityBuffer(), "a column with nulls has validity bits")
                .segment();
        long offset = source.validityOffset();
        for (int row = 0; row < count; row++) {
            if (Bits.get(bits, offset + row)) {
                Bits.set(validity.segment(), places.getAtIndex(JAVA_INT, row), true);
            }
        }
        return validity;
    }
}
