package dev.millrace.internal.kernel.sort;

import dev.millrace.block.Block;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import java.util.List;

/// Compares two rows of a block, without sorting it, in the order of [RowOrder]. The caller keeps the block.
public final class RowCompare {
    private final KeyLevel[] levels;

    private RowCompare(KeyLevel[] levels) {
        this.levels = levels;
    }

    public static RowCompare of(Allocator allocator, Block block, List<SortKey> keys) {
        return new RowCompare(SortLevels.of(allocator, block, keys));
    }

    /// Negative if row `a` comes first; 0 if their keys are equal.
    public int compare(long a, long b) {
        for (KeyLevel level : levels) {
            int order = level.compare(a, b, 0);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
