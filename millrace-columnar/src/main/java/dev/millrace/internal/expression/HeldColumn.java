package dev.millrace.internal.expression;

import dev.millrace.column.Column;

/// A column whose reference is released at the end of a try block.
record HeldColumn(Column column) implements AutoCloseable {
    @Override
    public void close() {
        column.release();
    }
}
