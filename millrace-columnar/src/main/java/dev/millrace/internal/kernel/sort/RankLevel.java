package dev.millrace.internal.kernel.sort;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Dictionary codes by the rank of their values: the dictionary is sorted once.
final class RankLevel extends KeyLevel {
    private final DictionaryColumn column;
    /// For each entry of the dictionary; equal entries have one rank.
    private final int[] ranks;

    RankLevel(Allocator allocator, DictionaryColumn column, boolean descending) {
        this.column = column;
        Column values = column.dictionary();
        this.ranks = new int[Math.toIntExact(values.length())];
        SortKey key = new SortKey("value", descending);
        try (Block block = Block.sharing(Schema.of("value", values.type()), List.of(values), values.length());
                RowOrder order = RowOrder.of(allocator, block, List.of(key))) {
            int rank = 0;
            for (int i = 0; i < ranks.length; i++) {
                if (i > 0 && order.compare(order.row(i - 1), order.row(i)) != 0) {
                    rank++;
                }
                ranks[(int) order.row(i)] = rank;
            }
        }
    }

    @Override
    void load(MemorySegment pairs, long from, long to, int depth) {
        for (long i = from; i < to; i++) {
            chunk(pairs, i, of(row(pairs, i)));
        }
    }

    private long of(long row) {
        return column.isNull(row) ? 0 : ranks[column.index(row)];
    }

    @Override
    int compare(long a, long b, int depth) {
        return Long.compare(of(a), of(b));
    }
}
