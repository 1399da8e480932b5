package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Clusters rows by the partition that a [Partitioner] gives them; rows of one partition stay in their order.
public record PartitionShards(Partitioner partitioner) implements ShardMaker {
    @Override
    public void make(MapTask task) {
        try (Block block = task.all()) {
            write(task, block, partitioner, task.firstRow());
        }
    }

    /// Emits the block's rows clustered, and tells the counts.
    public static void write(MapTask task, Block block, Partitioner partitioner, long firstRow) {
        int rows = Math.toIntExact(block.rows());
        int[] counts = new int[partitioner.partitions()];
        Buffer assigned = task.allocator().allocate(Math.max(1, (long) rows * Integer.BYTES));
        try {
            partitioner.assign(block, firstRow, assigned.segment());
            Buffer order = task.allocator().allocate(Math.max(1, (long) rows * Integer.BYTES));
            try {
                cluster(assigned.segment(), rows, counts, order.segment());
                ShardWriter.write(task, block, order.segment(), rows);
            } finally {
                order.release();
            }
        } finally {
            assigned.release();
        }
        task.tell(new Shards.Counted(counts));
    }

    /// A stable counting sort of row numbers by partition.
    ///
    /// @param counts filled with the rows of each partition
    static void cluster(MemorySegment assigned, int rows, int[] counts, MemorySegment order) {
        for (int row = 0; row < rows; row++) {
            counts[assigned.getAtIndex(JAVA_INT, row)]++;
        }
        int[] at = new int[counts.length];
        for (int p = 1; p < counts.length; p++) {
            at[p] = at[p - 1] + counts[p - 1];
        }
        for (int row = 0; row < rows; row++) {
            order.setAtIndex(JAVA_INT, at[assigned.getAtIndex(JAVA_INT, row)]++, row);
        }
    }
}
