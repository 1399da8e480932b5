package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.internal.kernel.GatherKernel;

/// Dictionary columns as plain ones.
final class DictionaryDecoding {
    private DictionaryDecoding() {}

    /// The values of a dictionary column, which is released; any other column as it is.
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

    /// Where each row's value is in the dictionary, -1 where it is null.
    static int[] positions(DictionaryColumn coded) {
        int[] positions = new int[Math.toIntExact(coded.length())];
        boolean nulls = coded.indices().hasNulls();
        for (int row = 0; row < positions.length; row++) {
            positions[row] = nulls && coded.indices().isNull(row) ? -1 : coded.index(row);
        }
        return positions;
    }
}
