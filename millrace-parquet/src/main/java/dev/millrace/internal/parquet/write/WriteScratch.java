package dev.millrace.internal.parquet.write;

import dev.millrace.internal.parquet.encode.BytesBatch;
import dev.millrace.internal.parquet.encode.DeltaWriter;
import dev.millrace.internal.parquet.encode.GrowingMemory;
import dev.millrace.internal.parquet.format.ThriftWriter;
import dev.millrace.memory.Allocator;

/// What the columns of a file use one after the other. One thread.
final class WriteScratch implements AutoCloseable {
    /// Values that are looked at together: they stay in the first cache.
    static final int BATCH = 2048;

    final Allocator allocator;
    final long[] numbers = new long[BATCH];
    final BytesBatch bytes = new BytesBatch(BATCH);
    final int[] positions = new int[BATCH];
    final DeltaWriter deltas = new DeltaWriter();
    final ThriftWriter header = new ThriftWriter();
    final GrowingMemory body;
    final GrowingMemory compressed;
    final GrowingMemory first;
    final GrowingMemory second;

    WriteScratch(Allocator allocator) {
        this.allocator = allocator;
        body = new GrowingMemory(allocator);
        compressed = new GrowingMemory(allocator);
        first = new GrowingMemory(allocator);
        second = new GrowingMemory(allocator);
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
