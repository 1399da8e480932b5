package dev.millrace.internal.tensor;

import dev.millrace.column.Column;
import dev.millrace.internal.lifetime.Releasable;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The memory of the tensors of one batch, released together. One thread at a time.
final class TensorMemory implements Releasable {
    private final Allocator allocator;
    private final List<Runnable> releases = new ArrayList<>();

    TensorMemory(Allocator allocator) {
        this.allocator = allocator;
    }

    Allocator allocator() {
        return allocator;
    }

    /// Bytes with undefined content.
    MemorySegment allocate(long bytes) {
        if (bytes == 0) {
            return MemorySegment.NULL;
        }
        Buffer buffer = allocator.allocate(bytes);
        releases.add(buffer::release);
        return buffer.segment();
    }

    /// Takes over the column's reference.
    <C extends Column> C own(C column) {
        releases.add(column::release);
        return column;
    }

    @Override
    public void release() {
        releases.forEach(Runnable::run);
        releases.clear();
    }
}
