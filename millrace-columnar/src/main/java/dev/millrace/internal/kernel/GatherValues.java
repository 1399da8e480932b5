package dev.millrace.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The inner loops of [GatherKernel], one per value width, so that each compiles to plain loads and stores.
final class GatherValues {
    /// Strings up to this length are copied in words, past their end, into space that the next string overwrites.
    private static final int SHORT_BYTES = 32;

    private GatherValues() {}

    static void fixedWidth(MemorySegment source, int width, int[] positions, int count, MemorySegment target) {
        switch (width) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    target.set(JAVA_BYTE, i, source.get(JAVA_BYTE, positions[i]));
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    target.setAtIndex(JAVA_SHORT, i, source.getAtIndex(JAVA_SHORT, positions[i]));
                }
            }
            case 4 -> {
                for (int i = 0; i < count; i++) {
                    target.setAtIndex(JAVA_INT, i, source.getAtIndex(JAVA_INT, positions[i]));
                }
            }
            case 8 -> {
                for (int i = 0; i < count; i++) {
                    target.setAtIndex(JAVA_LONG, i, source.getAtIndex(JAVA_LONG, positions[i]));
                }
            }
            case 16 -> {
                for (int i = 0; i < count; i++) {
                    long at = 2L * positions[i];
                    target.setAtIndex(JAVA_LONG, 2L * i, source.getAtIndex(JAVA_LONG, at));
                    target.setAtIndex(JAVA_LONG, 2L * i + 1, source.getAtIndex(JAVA_LONG, at + 1));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    MemorySegment.copy(source, (long) positions[i] * width, target, (long) i * width, width);
                }
            }
        }
    }

    static void bits(MemorySegment source, long offset, int[] positions, int count, MemorySegment target) {
        for (int i = 0; i < count; i += 8) {
            int bits = 0;
            int end = Math.min(8, count - i);
            for (int k = 0; k < end; k++) {
                bits |= (Bits.get(source, offset + positions[i + k]) ? 1 : 0) << k;
            }
            target.set(JAVA_BYTE, i >>> 3, (byte) bits);
        }
    }

    /// @param validity already in `made`
    static VariableWidthColumn variableWidth(
            ColumnParts made, VariableWidthColumn source, int[] positions, int count, @Nullable Buffer validity) {
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += source.end(positions[i]) - source.start(positions[i]);
        }
        int width = OffsetRuns.widthFor(total);
        Buffer offsets = made.buffer(OffsetRuns.bytesFor(count, width));
        Buffer data = made.buffer(total == 0 ? 0 : total + SHORT_BYTES);
        MemorySegment bounds = offsets.segment();
        MemorySegment from = source.dataSegment();
        MemorySegment to = data.segment();
        long readable = from.byteSize() - SHORT_BYTES;
        long end = 0;
        for (int i = 0; i < count; i++) {
            OffsetRuns.put(bounds, width, i, end);
            long start = source.start(positions[i]);
            long length = source.end(positions[i]) - start;
            if (length <= SHORT_BYTES && start <= readable) {
                for (long k = 0; k < length; k += Long.BYTES) {
                    to.set(JAVA_LONG_UNALIGNED, end + k, from.get(JAVA_LONG_UNALIGNED, start + k));
                }
            } else {
                MemorySegment.copy(from, start, to, end, length);
            }
            end += length;
        }
        if (count > 0) {
            OffsetRuns.put(bounds, width, count, end);
        }
        return made.keep(
                VariableWidthColumn.of(source.type(), count, offsets, width, data, validity, 0, Column.UNKNOWN_NULLS));
    }
}
