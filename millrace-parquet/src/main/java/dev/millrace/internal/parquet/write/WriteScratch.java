package dev.millrace.internal.parquet.write;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.parquet.encode.BytesBatch;
import dev.millrace.internal.parquet.encode.DeltaWriter;
import dev.millrace.internal.parquet.encode.PageGrowth;
import dev.millrace.internal.parquet.format.ThriftWriter;
import dev.millrace.memory.Allocator;

/// Scratch memory shared by the columns of a file. One thread.
final class WriteScratch implements AutoCloseable {
    /// The number of values processed together: they stay in the L1 cache.
    static final int BATCH = 2048;

    final Allocator allocator;
    final long[] numbers = new long[BATCH];
    final BytesBatch bytes = new BytesBatch(BATCH);
    final int[] positions = new int[BATCH];
    final DeltaWriter deltas = new DeltaWriter();
    final ThriftWriter header = new ThriftWriter();
    final GrowingBuffer body;
    final GrowingBuffer compressed;
    final GrowingBuffer first;
    final GrowingBuffer second;

    WriteScratch(Allocator allocator) {
        this.allocator = allocator;
        body = new GrowingBuffer(allocator, PageGrowth.PAGE);
        compressed = new GrowingBuffer(allocator, PageGrowth.PAGE);
        first = new GrowingBuffer(allocator, PageGrowth.PAGE);
        second = new GrowingBuffer(allocator, PageGrowth.PAGE);
    }

    long heldBytes() {
        return body.heldBytes() + compressed.heldBytes() + first.heldBytes() + second.heldBytes();
    }

    @Override
    public void close() {
        body.close();
        compressed.close();
        first.close();
        second.close();
    }
}
