package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;

/// Assigns each row to a partition. A pure function of the rows and their numbers: a task that is run again decides the
/// same, and datasets that are partitioned alike have equal keys in the same partitions.
public interface ShufflePartitioner extends Serializable {
    int partitions();

    /// Writes one 32-bit partition, from 0, for each row of `block`.
    ///
    /// @param firstRow the number of the block's first row in its dataset
    void assign(Block block, long firstRow, MemorySegment partitions);
}
