package dev.millrace.internal.kernel.sort;

import dev.millrace.column.DecimalColumn;
import java.lang.foreign.MemorySegment;

/// One half of decimals: the upper one with the sign, or the lower one.
final class DecimalLevel extends KeyLevel {
    private final DecimalColumn column;
    private final boolean upper;
    private final boolean descending;

    DecimalLevel(DecimalColumn column, boolean upper, boolean descending) {
        this.column = column;
        this.upper = upper;
        this.descending = descending;
    }

    @Override
    void load(MemorySegment pairs, long from, long to, int depth) {
        for (long i = from; i < to; i++) {
            chunk(pairs, i, of(row(pairs, i)));
        }
    }

    private long of(long row) {
        if (column.isNull(row)) {
            return 0;
        }
        return upper
                ? NumberKey.ofLong(column.high(row), descending)
                : NumberKey.ofLong(column.low(row) ^ Long.MIN_VALUE, descending);
    }

    @Override
    int compare(long a, long b, int depth) {
        return Long.compareUnsigned(of(a), of(b));
    }
}
