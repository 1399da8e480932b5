package dev.millrace.internal.kernel;

import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import java.util.List;

/// Concatenates columns of one type into one column in tight memory. Dictionaries are merged.
public final class ConcatenateKernel {
    private ConcatenateKernel() {}

    /// A single column is shared rather than copied.
    ///
    /// @param columns at least one, all of one type (see [WidenKernel] for others)
    public static Column columns(Allocator allocator, List<? extends Column> columns) {
        return columns(allocator, columns, RunCopy.PLAIN);
    }

    /// @param copy for large runs
    public static Column columns(Allocator allocator, List<? extends Column> columns, RunCopy copy) {
        Column first = columns.getFirst();
        if (columns.size() == 1) {
            return first.retain();
        }
        ValueRanges ranges = new ValueRanges(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.get(i).type().equals(first.type())) {
                throw new IllegalArgumentException("cannot concatenate " + first.type() + " and "
                        + columns.get(i).type());
            }
            ranges.add(i, 0, columns.get(i).length());
        }
        return AssembleKernel.columns(allocator, first.type(), columns.toArray(Column[]::new), ranges, copy);
    }
}
