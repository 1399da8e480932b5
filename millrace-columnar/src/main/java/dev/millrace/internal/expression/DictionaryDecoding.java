package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.internal.kernel.GatherKernel;

/// Decodes dictionary columns.
final class DictionaryDecoding {
    private DictionaryDecoding() {}

    /// The values of a dictionary column, which is released; any other column unchanged.
    static Column decode(Column column, EvaluationRows rows) {
        if (!(column instanceof DictionaryColumn coded)) {
            return column;
        }
        try {
            int[] positions = positions(coded);
            return GatherKernel.takeOrNull(rows.allocator(), coded.dictionary(), positions, positions.length);
        } finally {
            column.release();
        }
    }

    /// The dictionary index of each row's value, -1 for null rows.
    static int[] positions(DictionaryColumn coded) {
        int[] positions = new int[Math.toIntExact(coded.length())];
        boolean nulls = coded.indices().hasNulls();
        for (int row = 0; row < positions.length; row++) {
            positions[row] = nulls && coded.indices().isNull(row) ? -1 : coded.index(row);
        }
        return positions;
    }
}
