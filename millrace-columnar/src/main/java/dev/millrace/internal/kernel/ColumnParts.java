package dev.millrace.internal.kernel;

import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import org.jspecify.annotations.Nullable;

/// The parts of a column under construction: a [ResourceScope] with the account that they come from. So a kernel that
/// fails half way leaks nothing.
final class ColumnParts implements AutoCloseable {
    final Allocator allocator;
    final RunCopy copy;
    private final ResourceScope parts = new ResourceScope();

    ColumnParts(Allocator allocator) {
        this(allocator, RunCopy.PLAIN);
    }

    ColumnParts(Allocator allocator, RunCopy copy) {
        this.allocator = allocator;
        this.copy = copy;
    }

    Buffer buffer(long bytes) {
        return add(bytes == 0 ? Buffer.EMPTY : allocator.allocate(bytes));
    }

    /// Takes over the caller's reference to a buffer.
    Buffer add(Buffer buffer) {
        return parts.add(buffer);
    }

    /// Takes over the caller's reference to validity bits, if there are any.
    @Nullable
    Buffer addValidity(@Nullable Buffer validity) {
        return validity == null ? null : parts.add(validity);
    }

    /// Takes over the caller's reference to a column.
    <C extends Column> C add(C column) {
        return parts.add(column);
    }

    /// Releases a buffer that is not needed after all.
    void drop(Buffer buffer) {
        parts.drop(buffer);
    }

    /// Passes all references to `finished`, which consists of exactly these parts.
    <C extends Column> C keep(C finished) {
        return parts.keep(finished);
    }

    @Override
    public void close() {
        parts.close();
    }
}
