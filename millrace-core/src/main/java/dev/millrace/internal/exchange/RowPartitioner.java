package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.kernel.hash.HashMix;
import dev.millrace.internal.kernel.hash.RowHash;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Assigns equal rows to one partition, also rows of blocks with other columns, or the same columns in another order: a
/// missing column is null. For rows whose columns are not known in advance; see [HashPartitioner] for others.
public record RowPartitioner(int partitions) implements ShufflePartitioner {
    private static final int CHUNK = 4096;

    @Override
    public void assign(Block block, long firstRow, MemorySegment assigned) {
        long[] hashes = new long[CHUNK];
        long[] sums = new long[CHUNK];
        for (long from = 0; from < block.rows(); from += CHUNK) {
            int count = (int) Math.min(CHUNK, block.rows() - from);
            Arrays.fill(sums, 0);
            for (int c = 0; c < block.schema().size(); c++) {
                Column column = block.column(c);
                long name = block.schema().field(c).name().hashCode();
                RowHash.of(List.of(column)).compute(from, count, hashes);
                for (int i = 0; i < count; i++) {
                    sums[i] += column.isNull(from + i) ? 0 : HashMix.and(hashes[i], name);
                }
            }
            for (int i = 0; i < count; i++) {
                assigned.setAtIndex(JAVA_INT, from + i, HashPartitioner.partition(HashMix.of(sums[i]), partitions));
            }
        }
    }
}
