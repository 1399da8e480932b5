package dev.millrace.internal.kernel.aggregate;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.hash.RowHash;
import dev.millrace.memory.Allocator;
import java.util.List;

/// Decides whether merging states pays, by the keys of one in 16 groups: those whose hash says so. So it does not
/// matter in which order the states arrive; the first ones, of one task, are always distinct.
final class HashSample {
    /// The bits of a hash that are zero in the sample: the lowest are not those that partitions use.
    private static final long BITS = 15;

    private HashSample() {}

    /// Whether more than half of the states would be left.
    ///
    /// @param keys the number of key columns, which come first
    static boolean isVain(Allocator allocator, List<Block> blocks, int keys) {
        long[] hashes = new long[GroupedBlocks.CHUNK];
        int[] ids = new int[GroupedBlocks.CHUNK];
        long rows = 0;
        try (LongIds groups = new LongIds(allocator, false)) {
            for (Block block : blocks) {
                RowHash hash = RowHash.of(block.columns().subList(0, keys));
                for (long from = 0; from < block.rows(); from += GroupedBlocks.CHUNK) {
                    int count = (int) Math.min(GroupedBlocks.CHUNK, block.rows() - from);
                    hash.compute(from, count, hashes);
                    int taken = 0;
                    for (int i = 0; i < count; i++) {
                        long value = hashes[i];
                        hashes[taken] = value;
                        taken += (value & BITS) == 0 ? 1 : 0;
                    }
                    groups.assign(hashes, 0, taken, ids);
                    rows += taken;
                }
            }
            return groups.known() > rows / 2;
        }
    }
}
