package dev.millrace.internal.kernel.sort;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.DecimalColumn;
import java.lang.foreign.MemorySegment;

/// One half of decimals: the upper one with the sign, or the lower one. If all values fit into 64 bits, the lower one
/// with the sign is enough.
final class DecimalLevel extends KeyLevel {
    private final DecimalColumn column;
    private final int half;
    private final boolean plain;
    private final long flip;

    private DecimalLevel(DecimalColumn column, int half, boolean signed, boolean descending) {
        this.column = column;
        this.half = half;
        this.plain = !column.hasNulls();
        this.flip = (descending ? -1L : 0L) ^ (signed ? Long.MIN_VALUE : 0L);
    }

    static KeyLevel[] of(DecimalColumn column, boolean descending) {
        return fitsLongs(column)
                ? new KeyLevel[] {new DecimalLevel(column, 0, true, descending)}
                : new KeyLevel[] {
                    new DecimalLevel(column, 1, true, descending), new DecimalLevel(column, 0, false, descending)
                };
    }

    private static boolean fitsLongs(DecimalColumn column) {
        MemorySegment values = column.values();
        for (long row = 0; row < column.length(); row++) {
            if (values.getAtIndex(JAVA_LONG, 2 * row + 1) != values.getAtIndex(JAVA_LONG, 2 * row) >> 63
                    && !column.isNull(row)) {
                return false;
            }
        }
        return true;
    }

    @Override
    void load(MemorySegment pairs, long from, long to, int depth) {
        if (plain) {
            MemorySegment values = column.values();
            for (long i = from; i < to; i++) {
                chunk(pairs, i, values.getAtIndex(JAVA_LONG, 2 * row(pairs, i) + half) ^ flip);
            }
        } else {
            for (long i = from; i < to; i++) {
                chunk(pairs, i, of(row(pairs, i)));
            }
        }
    }

    private long of(long row) {
        return !plain && column.isNull(row) ? 0 : column.values().getAtIndex(JAVA_LONG, 2 * row + half) ^ flip;
    }

    @Override
    int compare(long a, long b, int depth) {
        return Long.compareUnsigned(of(a), of(b));
    }
}
