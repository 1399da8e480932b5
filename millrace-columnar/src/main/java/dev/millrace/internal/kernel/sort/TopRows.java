package dev.millrace.internal.kernel.sort;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Top-N of a block, without sorting all rows: each row is compared with the current last of the best.
public final class TopRows {
    /// The number of rows that are collected before the best of them are chosen.
    private static final int MIN_COLLECTED = 4096;
    /// If more than this fraction of the rows is wanted, sorting all is faster.
    private static final int MAX_PART = 8;

    private final Allocator allocator;
    private final Block keys;
    private final List<SortKey> order;
    private final int wanted;
    private final int[] collected;
    private int count;

    private TopRows(Allocator allocator, Block keys, List<SortKey> order, int wanted) {
        this.allocator = allocator;
        this.keys = keys;
        this.order = order;
        this.wanted = wanted;
        this.collected = new int[Math.max(MIN_COLLECTED, 2 * wanted)];
    }

    /// The first `rows` rows, or all if there are fewer, in order; stable.
    public static Block of(Allocator allocator, Block block, List<SortKey> order, int rows) {
        int[] first = positions(allocator, block, order, rows);
        return Blocks.take(allocator, block, first, first.length);
    }

    private static int[] positions(Allocator allocator, Block block, List<SortKey> order, int rows) {
        if (rows == 0) {
            return new int[0];
        }
        try (Block keys = keys(block, order)) {
            if (rows >= block.rows() / MAX_PART) {
                return sorted(allocator, keys, order, rows);
            }
            return new TopRows(allocator, keys, order, rows).select();
        }
    }

    private static Block keys(Block block, List<SortKey> order) {
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        for (String name : order.stream().map(SortKey::column).distinct().toList()) {
            int position = block.schema().require(name, "sort");
            fields.add(block.schema().field(position));
            columns.add(block.column(position));
        }
        return Block.sharing(Schema.of(fields), columns, block.rows());
    }

    private static int[] sorted(Allocator allocator, Block keys, List<SortKey> order, int rows) {
        try (RowOrder sorted = RowOrder.of(allocator, keys, order)) {
            int[] first = new int[(int) Math.min(rows, keys.rows())];
            sorted.copy(0, first.length, first);
            return first;
        }
    }

    private int[] select() {
        RowCompare compare = RowCompare.of(allocator, keys, order);
        long last = -1;
        for (int row = 0; row < keys.rows(); row++) {
            if (last >= 0 && compare.compare(row, last) >= 0) {
                continue;
            }
            collected[count++] = row;
            if (count == collected.length) {
                choose();
                last = collected[count - 1];
            }
        }
        choose();
        int[] best = new int[count];
        System.arraycopy(collected, 0, best, 0, count);
        return best;
    }

    /// Keeps the best of the collected rows, in order. Of equal keys, those that were collected first stay first.
    private void choose() {
        try (Block taken = Blocks.take(allocator, keys, collected, count)) {
            int[] places = sorted(allocator, taken, order, wanted);
            for (int i = 0; i < places.length; i++) {
                places[i] = collected[places[i]];
            }
            System.arraycopy(places, 0, collected, 0, places.length);
            count = places.length;
        }
    }
}
