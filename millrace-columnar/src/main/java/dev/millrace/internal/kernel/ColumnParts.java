package dev.millrace.internal.kernel;

import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;

/// The parts of a column under construction: a [ResourceScope] with the account that they come from. So a kernel that
/// fails half way leaves nothing behind.
final class ColumnParts implements AutoCloseable {
    final Allocator allocator;
    private final ResourceScope parts = new ResourceScope();

    ColumnParts(Allocator allocator) {
        this.allocator = allocator;
    }

    Buffer buffer(long bytes) {
        return add(bytes == 0 ? Buffer.EMPTY : allocator.allocate(bytes));
    }

    /// Takes in a buffer (or null) that the caller has one reference to.
    Buffer add(Buffer buffer) {
        return parts.add(buffer);
    }

    /// Takes in a column that the caller has one reference to.
    <C extends Column> C add(C column) {
        return parts.add(column);
    }

    /// Gives up a buffer that turned out not to be needed.
    void drop(Buffer buffer) {
        parts.drop(buffer);
    }

    /// Leaves everything to `finished`, which was made of exactly these parts.
    <C extends Column> C keep(C finished) {
        return parts.keep(finished);
    }

    @Override
    public void close() {
        parts.close();
    }
}
