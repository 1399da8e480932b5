package dev.millrace.internal.kernel.window;

import static java.util.Objects.requireNonNull;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.internal.kernel.CompactKernel;
import dev.millrace.internal.kernel.ConcatenateKernel;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rows in the order of a window, and their partitions. Columns that a function reads are put into that order as a
/// whole, the others piece by piece. One thread; closed by its owner.
final class SortedRows implements AutoCloseable {
    /// The number of rows that are moved at a time.
    private static final int PIECE_ROWS = 1 << 16;

    private final Allocator allocator;
    private final Block rows;
    /// For each position its row; null if the rows are in order.
    private final @Nullable RowNumberList order;

    private final WindowPartitions partitions;
    private final Map<String, Column> sorted = new HashMap<>();
    private final Map<String, Column> plain = new HashMap<>();

    /// @param rows the caller keeps them, as the other arguments
    SortedRows(Allocator allocator, Block rows, @Nullable RowNumberList order, WindowPartitions partitions) {
        this.allocator = allocator;
        this.rows = rows;
        this.order = order;
        this.partitions = partitions;
    }

    Schema schema() {
        return rows.schema();
    }

    WindowPartitions partitions() {
        return partitions;
    }

    /// A column in the window's order, which this keeps owning.
    Column column(String name) {
        Column column = rows.column(name);
        return order == null ? column : sorted.computeIfAbsent(name, _ -> inOrder(column, order));
    }

    /// The same, without a dictionary.
    Column plain(String name) {
        Column column = column(name);
        return column instanceof DictionaryColumn dictionary
                ? plain.computeIfAbsent(
                        name,
                        _ -> WidenKernel.to(allocator, column, dictionary.type().value()))
                : column;
    }

    private Column inOrder(Column column, RowNumberList by) {
        List<Column> pieces = new ArrayList<>();
        try {
            for (int from = 0; from < by.size() || from == 0; from += PIECE_ROWS) {
                pieces.add(taken(column, by, from, Math.min(PIECE_ROWS, by.size() - from)));
            }
            return ConcatenateKernel.columns(allocator, pieces);
        } finally {
            pieces.forEach(Column::release);
        }
    }

    private Column taken(Column column, RowNumberList by, int from, int count) {
        return GatherKernel.take(allocator, column, by.copy(from, count), count);
    }

    /// A column of the rows `from` to `to` of the window's order, which the caller releases.
    Column piece(int number, int from, int to) {
        Column known = order == null
                ? rows.column(number)
                : sorted.get(schema().field(number).name());
        if (known == null) {
            return taken(rows.column(number), requireNonNull(order, "rows in order are known"), from, to - from);
        }
        Column slice = known.slice(from, to - from);
        return to - from == known.length() ? slice.retain() : CompactKernel.column(allocator, slice);
    }

    @Override
    public void close() {
        sorted.values().forEach(Column::release);
        sorted.clear();
        plain.values().forEach(Column::release);
        plain.clear();
    }
}
