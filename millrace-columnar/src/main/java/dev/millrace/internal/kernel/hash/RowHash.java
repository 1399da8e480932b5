package dev.millrace.internal.kernel.hash;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// 64-bit hashes of the rows of some columns, the same in every process and every run.
///
/// Equal keys have equal hashes. Null is equal only to null; all NaNs are one value; 0.0 equals -0.0; numbers are equal
/// by value, independent of width and of whether they are integers or floats; strings by their bytes; dictionaries by
/// their values; lists, structs and maps by their elements.
public final class RowHash {
    private static final long SEED = 0x9E3779B97F4A7C15L;

    private final Column[] columns;

    private RowHash(Column[] columns) {
        this.columns = columns;
    }

    public static RowHash of(Block block, List<String> keys) {
        List<Column> columns = new ArrayList<>();
        keys.forEach(key -> columns.add(block.column(key)));
        return of(columns);
    }

    public static RowHash of(List<? extends Column> columns) {
        return new RowHash(columns.toArray(Column[]::new));
    }

    /// Writes the hashes of rows `from` to `from + count` to the front of `hashes`.
    public void compute(long from, int count, long[] hashes) {
        Arrays.fill(hashes, 0, count, SEED);
        for (Column column : columns) {
            ColumnHash.combine(column, from, count, hashes);
        }
    }
}
