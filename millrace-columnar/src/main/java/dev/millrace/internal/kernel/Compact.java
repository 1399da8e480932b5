package dev.millrace.internal.kernel;

import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;

/// A copy of just the values of a view, so that a small slice does not keep large buffers alive.
public final class Compact {
    private Compact() {}

    public static Column column(Allocator allocator, Column column) {
        Ranges ranges = new Ranges(1);
        ranges.add(0, 0, column.length());
        return Assemble.columns(allocator, column.type(), new Column[] {column}, ranges);
    }
}
