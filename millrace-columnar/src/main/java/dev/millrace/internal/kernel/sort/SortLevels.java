package dev.millrace.internal.kernel.sort;

import dev.millrace.block.Block;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.List;

/// Builds the levels of the sort keys of one block.
final class SortLevels {
    private SortLevels() {}

    static KeyLevel[] of(Allocator allocator, Block block, List<SortKey> keys) {
        List<KeyLevel> levels = new ArrayList<>();
        for (SortKey key : keys) {
            add(allocator, block.column(block.schema().require(key.column(), "sort")), key, levels);
        }
        return levels.toArray(KeyLevel[]::new);
    }

    private static void add(Allocator allocator, Column column, SortKey key, List<KeyLevel> levels) {
        boolean descending = key.isDescending();
        if (column instanceof NullColumn) {
            return;
        }
        if (!Types.hasOrder(column.type())) {
            throw MillraceException.user(SortKeys.noOrder(key.column(), column.type()));
        }
        if (column.hasNulls()) {
            levels.add(new NullLevel(column));
        }
        NumberKey.Kind kind = NumberKey.kindOf(column);
        if (kind != null) {
            levels.add(new NumberLevel(column, new NumberKey(kind, descending)));
            return;
        }
        switch (column) {
            case DecimalColumn decimals -> levels.addAll(List.of(DecimalLevel.of(decimals, descending)));
            case VariableWidthColumn bytes -> levels.add(new BytesLevel(bytes, descending));
            case DictionaryColumn dictionary -> levels.add(new RankLevel(allocator, dictionary, descending));
            case BooleanColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    ListColumn _,
                    MapColumn _,
                    StructColumn _,
                    VariableTensorColumn _ -> throw MillraceException.internal("no sort level for " + column.type());
        }
    }
}
