package dev.millrace.internal.kernel.sort;

import dev.millrace.column.Column;
import java.lang.foreign.MemorySegment;

/// Orders values before nulls, in both sort directions.
final class NullLevel extends KeyLevel {
    private final Column column;

    NullLevel(Column column) {
        this.column = column;
    }

    @Override
    void load(MemorySegment pairs, long from, long to, int depth) {
        for (long i = from; i < to; i++) {
            chunk(pairs, i, column.isNull(row(pairs, i)) ? 1 : 0);
        }
    }

    @Override
    int compare(long a, long b, int depth) {
        return Boolean.compare(column.isNull(a), column.isNull(b));
    }
}
