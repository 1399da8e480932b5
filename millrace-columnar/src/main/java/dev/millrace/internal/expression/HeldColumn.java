package dev.millrace.internal.expression;

import dev.millrace.column.Column;

/// A column that came with a reference, for the length of a try block.
record HeldColumn(Column column) implements AutoCloseable {
    @Override
    public void close() {
        column.release();
    }
}
