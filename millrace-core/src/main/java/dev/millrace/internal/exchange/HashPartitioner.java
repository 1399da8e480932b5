package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.hash.RowHash;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Rows with equal keys go to one partition; see [RowHash] for what is equal.
public record HashPartitioner(List<String> keys, int partitions) implements ShufflePartitioner {
    private static final int CHUNK = 4096;

    public HashPartitioner {
        keys = List.copyOf(keys);
    }

    /// The partition of a row with this hash: by its upper half, so that hash tables inside a partition may use the
    /// lower.
    public static int partition(long hash, int partitions) {
        return (int) (((hash >>> 32) * partitions) >>> 32);
    }

    @Override
    public void assign(Block block, long firstRow, MemorySegment assigned) {
        RowHash hash = RowHash.of(block, keys);
        long[] hashes = new long[CHUNK];
        for (long from = 0; from < block.rows(); from += CHUNK) {
            int count = (int) Math.min(CHUNK, block.rows() - from);
            hash.compute(from, count, hashes);
            for (int i = 0; i < count; i++) {
                assigned.setAtIndex(JAVA_INT, from + i, partition(hashes[i], partitions));
            }
        }
    }
}
