package dev.millrace.internal.consume;

import dev.millrace.runtime.BlockSlice;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// The blocks of a materialised dataset, held until it is closed, or until its session is.
public final class HeldBlocks implements AutoCloseable {
    private final Executions owner;
    private final List<BlockSlice> slices;
    private final AtomicBoolean closed = new AtomicBoolean();

    HeldBlocks(Executions owner, List<BlockSlice> slices) {
        this.owner = owner;
        this.slices = List.copyOf(slices);
    }

    public List<BlockSlice> slices() {
        return slices;
    }

    public long rows() {
        return slices.stream().mapToLong(BlockSlice::rows).sum();
    }

    public long sizeBytes() {
        return slices.stream().mapToLong(BlockSlice::sizeBytes).sum();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            slices.forEach(BlockSlice::release);
            owner.forget(this);
        }
    }
}
