package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.hash.HashMix;
import java.lang.foreign.MemorySegment;

/// Assigns each row to a pseudo-random partition, determined by the seed and the row's number.
public record RandomPartitioner(long seed, int partitions) implements ShufflePartitioner {
    @Override
    public void assign(Block block, long firstRow, MemorySegment assigned) {
        long start = HashMix.of(seed);
        for (long row = 0; row < block.rows(); row++) {
            long hash = HashMix.of(start ^ firstRow + row);
            assigned.setAtIndex(JAVA_INT, row, HashPartitioner.partition(hash, partitions));
        }
    }
}
