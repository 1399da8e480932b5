package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Clusters rows by the partition that a [ShufflePartitioner] assigns; rows of one partition stay in their order.
public record PartitionShards(ShufflePartitioner partitioner) implements ShardMaker {
    @Override
    public void make(MapTask task) {
        try (BundleRows rows = task.rows()) {
            write(task, rows, partitioner, task.firstRow());
        }
    }

    /// Emits the block's rows clustered, and reports the counts.
    public static void write(MapTask task, Block block, ShufflePartitioner partitioner, long firstRow) {
        try (BundleRows rows = BundleRows.of(block)) {
            write(task, rows, partitioner, firstRow);
        }
    }

    /// The same for a bundle, whose blocks are released before shards are made.
    static void write(MapTask task, BundleRows rows, ShufflePartitioner partitioner, long firstRow) {
        int count = Math.toIntExact(rows.rows());
        int[] counts = new int[partitioner.partitions()];
        Buffer order = task.allocator().allocate(Math.max(1, (long) count * Integer.BYTES));
        try {
            Buffer assigned = task.allocator().allocate(Math.max(1, (long) count * Integer.BYTES));
            try {
                assign(rows.blocks(), partitioner, firstRow, assigned.segment());
                cluster(assigned.segment(), count, counts, order.segment());
            } finally {
                assigned.release();
            }
            ShardWriter.writeClustered(task, rows, order.segment());
        } finally {
            order.release();
        }
        task.tell(new MapShards.Counted(counts));
    }

    private static void assign(
            List<Block> blocks, ShufflePartitioner partitioner, long firstRow, MemorySegment assigned) {
        long at = 0;
        for (Block block : blocks) {
            partitioner.assign(block, firstRow + at, assigned.asSlice(at * Integer.BYTES));
            at += block.rows();
        }
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
