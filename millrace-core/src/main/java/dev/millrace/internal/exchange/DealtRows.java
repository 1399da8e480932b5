package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import java.lang.foreign.MemorySegment;

/// Assigns rows to the partitions round-robin, by their row numbers: partitions differ by one row at most, and each has
/// a part of every block of as many rows as there are partitions.
public record DealtRows(int partitions) implements ShufflePartitioner {
    @Override
    public void assign(Block block, long firstRow, MemorySegment assigned) {
        int partition = (int) (firstRow % partitions);
        for (long row = 0; row < block.rows(); row++) {
            assigned.setAtIndex(JAVA_INT, row, partition);
            partition = partition + 1 == partitions ? 0 : partition + 1;
        }
    }
}
