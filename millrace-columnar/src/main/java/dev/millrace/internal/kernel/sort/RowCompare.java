package dev.millrace.internal.kernel.sort;

import dev.millrace.block.Block;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import java.util.List;

/// The order of two rows of a block, without sorting it: that of [RowOrder]. The block stays its holder's.
public final class RowCompare {
    private final KeyLevel[] levels;

    private RowCompare(KeyLevel[] levels) {
        this.levels = levels;
    }

    public static RowCompare of(Allocator allocator, Block block, List<SortKey> keys) {
        return new RowCompare(SortLevels.of(allocator, block, keys));
    }

    /// Below zero where row `a` comes first; 0 where their keys are equal.
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
