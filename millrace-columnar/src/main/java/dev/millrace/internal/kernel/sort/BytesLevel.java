package dev.millrace.internal.kernel.sort;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.column.VariableWidthColumn;
import java.lang.foreign.MemorySegment;

/// Strings and binaries by their bytes. A chunk contains the next seven of them, padded with zeros, and in its last
/// byte their number, or that there are more: so an end comes before a zero.
final class BytesLevel extends KeyLevel {
    private static final int BYTES = 7;
    private static final int MORE = BYTES + 1;

    private final VariableWidthColumn column;
    private final MemorySegment data;
    private final boolean nullable;
    private final boolean descending;

    BytesLevel(VariableWidthColumn column, boolean descending) {
        this.column = column;
        this.data = column.dataSegment();
        this.nullable = column.hasNulls();
        this.descending = descending;
    }

    @Override
    void load(MemorySegment pairs, long from, long to, int depth) {
        long flip = descending ? -1 : 0;
        long offset = (long) depth * BYTES;
        for (long i = from; i < to; i++) {
            chunk(pairs, i, of(row(pairs, i), offset) ^ flip);
        }
    }

    private long of(long row, long offset) {
        if (nullable && column.isNull(row)) {
            return 0;
        }
        long at = column.start(row) + offset;
        long left = column.end(row) - at;
        if (left > BYTES) {
            return Long.reverseBytes(data.get(JAVA_LONG_UNALIGNED, at)) & -1L << 8 | MORE;
        }
        return left <= 0 ? 0 : tail(at, (int) left) | left;
    }

    /// At most seven bytes, the first one most significant, then zeros.
    private long tail(long at, int count) {
        if (at + Long.BYTES <= data.byteSize()) {
            return Long.reverseBytes(data.get(JAVA_LONG_UNALIGNED, at)) & -1L << 64 - 8 * count;
        }
        long word = 0;
        for (int i = 0; i < count; i++) {
            word |= (data.get(JAVA_BYTE, at + i) & 0xFFL) << 56 - 8 * i;
        }
        return word;
    }

    @Override
    boolean isDeep() {
        return true;
    }

    /// Equal chunks are all at their end, or none of them is.
    @Override
    boolean goesDeeper(MemorySegment pairs, long from, long to, int depth) {
        long chunk = pairs.getAtIndex(JAVA_LONG, 2 * from);
        return ((descending ? ~chunk : chunk) & 0xFF) == MORE;
    }

    @Override
    int compare(long a, long b, int depth) {
        if (nullable && (column.isNull(a) || column.isNull(b))) {
            return 0;
        }
        int ascending = compareBytes(column, a, column, b);
        return descending ? -ascending : ascending;
    }

    static int compareBytes(VariableWidthColumn left, long a, VariableWidthColumn right, long b) {
        MemorySegment first = left.dataSegment();
        MemorySegment second = right.dataSegment();
        long at = MemorySegment.mismatch(first, left.start(a), left.end(a), second, right.start(b), right.end(b));
        if (at < 0) {
            return 0;
        }
        long lengthA = left.end(a) - left.start(a);
        long lengthB = right.end(b) - right.start(b);
        if (at >= lengthA || at >= lengthB) {
            return Long.compare(lengthA, lengthB);
        }
        return Byte.compareUnsigned(
                first.get(JAVA_BYTE, left.start(a) + at), second.get(JAVA_BYTE, right.start(b) + at));
    }
}
