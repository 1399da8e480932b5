package dev.millrace.internal.kernel;

import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;

/// A copy of only the values of a view, so that a small slice does not keep large buffers alive.
public final class CompactKernel {
    private CompactKernel() {}

    public static Column column(Allocator allocator, Column column) {
        ValueRanges ranges = new ValueRanges(1);
        ranges.add(0, 0, column.length());
        return AssembleKernel.columns(allocator, column.type(), new Column[] {column}, ranges);
    }
}
