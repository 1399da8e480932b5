package dev.millrace.internal.engine;

import dev.millrace.block.BlockMetadata;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.type.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// A block of longs on the heap, counted while it lives.
final class FakeBlock extends BlockRef {
    private final AtomicLong living;
    private final long[] values;

    FakeBlock(long[] values, long bytes, AtomicLong living) {
        super(new BlockMetadata(values.length, bytes, Schema.empty(), List.of()));
        this.values = values;
        this.living = living;
        living.incrementAndGet();
    }

    static long[] values(BlockSlice slice) {
        int from = (int) slice.from();
        return Arrays.copyOfRange(((FakeBlock) slice.block()).values, from, from + (int) slice.rows());
    }

    @Override
    protected void free() {
        living.decrementAndGet();
    }
}
