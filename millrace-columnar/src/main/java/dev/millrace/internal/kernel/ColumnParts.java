package dev.millrace.internal.kernel;

import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.util.ArrayList;
import java.util.List;

/// The parts of a column under construction. What was made or taken in is released at the end of the scope, unless
/// [#keep] says that the finished column has taken it over; so a kernel that fails half way leaves nothing behind.
final class ColumnParts implements AutoCloseable {
    final Allocator allocator;
    private final List<Buffer> buffers = new ArrayList<>();
    private final List<Column> columns = new ArrayList<>();

    ColumnParts(Allocator allocator) {
        this.allocator = allocator;
    }

    Buffer buffer(long bytes) {
        return add(bytes == 0 ? Buffer.EMPTY : allocator.allocate(bytes));
    }

    /// Takes in a buffer (or null) that the caller has one reference to.
    Buffer add(Buffer buffer) {
        if (buffer != null) {
            buffers.add(buffer);
        }
        return buffer;
    }

    /// Takes in a column that the caller has one reference to.
    <C extends Column> C add(C column) {
        columns.add(column);
        return column;
    }

    /// Gives up a buffer that turned out not to be needed.
    void drop(Buffer buffer) {
        buffers.remove(buffer);
        buffer.release();
    }

    /// Leaves everything to `finished`, which was made of exactly these parts.
    <C extends Column> C keep(C finished) {
        buffers.clear();
        columns.clear();
        return finished;
    }

    @Override
    public void close() {
        buffers.forEach(Buffer::release);
        columns.forEach(Column::release);
    }
}
