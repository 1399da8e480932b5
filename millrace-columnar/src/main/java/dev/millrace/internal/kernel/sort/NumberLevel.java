package dev.millrace.internal.kernel.sort;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import java.lang.foreign.MemorySegment;

/// Values of at most 64 bits, complete in one chunk. Rows that are null here are equal.
final class NumberLevel extends KeyLevel {
    private final Column column;
    private final NumberKey key;
    private final boolean plain;

    NumberLevel(Column column, NumberKey key) {
        this.column = column;
        this.key = key;
        this.plain = !column.hasNulls();
    }

    @Override
    void load(MemorySegment pairs, long from, long to, int depth) {
        if (plain && key.kind() == NumberKey.Kind.INT64) {
            MemorySegment values = ((FixedWidthColumn) column).values();
            long flip = key.isDescending() ? Long.MAX_VALUE : Long.MIN_VALUE;
            for (long i = from; i < to; i++) {
                chunk(pairs, i, values.getAtIndex(JAVA_LONG, row(pairs, i)) ^ flip);
            }
        } else if (plain && key.kind() == NumberKey.Kind.INT32) {
            MemorySegment values = ((FixedWidthColumn) column).values();
            long flip = key.isDescending() ? Long.MAX_VALUE : Long.MIN_VALUE;
            for (long i = from; i < to; i++) {
                chunk(pairs, i, values.getAtIndex(JAVA_INT, row(pairs, i)) ^ flip);
            }
        } else if (plain && key.kind() == NumberKey.Kind.FLOAT64) {
            MemorySegment values = ((FixedWidthColumn) column).values();
            boolean descending = key.isDescending();
            for (long i = from; i < to; i++) {
                chunk(pairs, i, NumberKey.ofDouble(values.getAtIndex(JAVA_DOUBLE, row(pairs, i)), descending));
            }
        } else {
            for (long i = from; i < to; i++) {
                chunk(pairs, i, of(row(pairs, i)));
            }
        }
    }

    private long of(long row) {
        return !plain && column.isNull(row) ? 0 : key.of(column, row);
    }

    @Override
    int compare(long a, long b, int depth) {
        return Long.compareUnsigned(of(a), of(b));
    }
}
