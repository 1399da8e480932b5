package dev.millrace.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.OffsetColumn;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// New offsets that start at 0, and the runs of child values that they refer to.
///
/// @param width 4 bytes if the last offset fits them, else 8
record OffsetRuns(Buffer buffer, int width, ValueRanges below) {

    /// The offsets of concatenated runs of values.
    static OffsetRuns rebase(ColumnParts made, OffsetColumn[] sources, ValueRanges ranges) {
        ValueRanges below = new ValueRanges(ranges.size());
        for (int i = 0; i < ranges.size(); i++) {
            OffsetColumn source = sources[ranges.source(i)];
            long start = source.start(ranges.from(i));
            below.add(ranges.source(i), start, source.start(ranges.from(i) + ranges.count(i)) - start);
        }
        int width = widthFor(below.total());
        Buffer buffer = made.buffer(bytesFor(ranges.total(), width));
        MemorySegment target = buffer.segment();
        long at = 0;
        long base = 0;
        for (int i = 0; i < ranges.size(); i++) {
            OffsetColumn source = sources[ranges.source(i)];
            long from = ranges.from(i);
            long count = ranges.count(i);
            long shift = base - source.start(from);
            for (long k = 0; k < count; k++) {
                put(target, width, at++, source.start(from + k) + shift);
            }
            base = source.start(from + count) + shift;
        }
        if (ranges.total() > 0) {
            put(target, width, at, base);
        }
        return new OffsetRuns(buffer, width, below);
    }

    /// The offsets of single values, in any order.
    static OffsetRuns gather(ColumnParts made, OffsetColumn source, int[] positions, int count) {
        ValueRanges below = new ValueRanges(count);
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += source.end(positions[i]) - source.start(positions[i]);
        }
        int width = widthFor(total);
        Buffer buffer = made.buffer(bytesFor(count, width));
        MemorySegment target = buffer.segment();
        long end = 0;
        for (int i = 0; i < count; i++) {
            put(target, width, i, end);
            long start = source.start(positions[i]);
            long length = source.end(positions[i]) - start;
            below.add(0, start, length);
            end += length;
        }
        if (count > 0) {
            put(target, width, count, end);
        }
        return new OffsetRuns(buffer, width, below);
    }

    static int widthFor(long lastOffset) {
        return lastOffset <= Integer.MAX_VALUE ? Integer.BYTES : Long.BYTES;
    }

    static long bytesFor(long values, int width) {
        return values == 0 ? 0 : (values + 1) * width;
    }

    static void put(MemorySegment target, int width, long index, long offset) {
        if (width == Integer.BYTES) {
            target.setAtIndex(JAVA_INT, index, (int) offset);
        } else {
            target.setAtIndex(JAVA_LONG, index, offset);
        }
    }
}
