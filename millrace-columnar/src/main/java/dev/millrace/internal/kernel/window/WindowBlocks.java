package dev.millrace.internal.kernel.window;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.IntColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.aggregate.GroupIds;
import dev.millrace.internal.kernel.sort.RowOrder;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Window functions over rows of whole partitions.
public record WindowBlocks(Window window, List<WindowFunction> functions) implements Serializable {
    private static final String PARTITION = "partition";
    /// The number of rows that are emitted at a time.
    private static final int PIECE_ROWS = 1 << 16;

    public WindowBlocks {
        functions = List.copyOf(functions);
    }

    /// The rows followed by the functions' columns: partition by partition, these in the order of their first rows, and
    /// each in the window's order.
    ///
    /// @param rows complete partitions; the caller keeps them
    /// @param taker gets them in pieces, which it closes; at least one
    public void compute(Allocator allocator, Block rows, Consumer<Block> taker) {
        WindowTypes.result(rows.schema(), window, functions);
        int count = Math.toIntExact(rows.rows());
        try (RowNumberList positions = new RowNumberList(allocator, count);
                WindowPartitions partitions = arrange(allocator, rows, positions);
                SortedRows sorted = new SortedRows(allocator, rows, positions, partitions);
                WindowColumns columns = WindowColumns.of(allocator, sorted, functions, window.order())) {
            for (int from = 0; from < count || from == 0; from += PIECE_ROWS) {
                taker.accept(columns.next(from, Math.min(count, from + PIECE_ROWS)));
            }
        }
    }

    /// Sorts the rows.
    ///
    /// @param positions is set to the sorted order
    private WindowPartitions arrange(Allocator allocator, Block rows, RowNumberList positions) {
        int count = Math.toIntExact(rows.rows());
        try (Block keyed = keyed(allocator, rows)) {
            List<SortKey> order = new ArrayList<>();
            if (!window.keys().isEmpty()) {
                order.add(SortKey.ascending(PARTITION));
            }
            // Columns are named by their position, "0", "1" and so on: a user's may have any name.
            for (int i = 0; i < window.order().size(); i++) {
                order.add(new SortKey(Integer.toString(i), window.order().get(i).isDescending()));
            }
            try (RowOrder sorted = RowOrder.of(allocator, keyed, order)) {
                positions.fill(count, sorted::copy);
                return partitions(allocator, keyed, sorted);
            }
        }
    }

    /// The columns that determine the order: the id of each row's partition, then the order's keys.
    private Block keyed(Allocator allocator, Block rows) {
        List<Field> fields = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            if (!window.keys().isEmpty()) {
                fields.add(new Field(PARTITION, DataType.INT32));
                columns.add(GroupIds.of(allocator, rows, window.keys()));
            }
            for (int i = 0; i < window.order().size(); i++) {
                Column key = rows.column(window.order().get(i).column());
                fields.add(new Field(Integer.toString(i), key.type()));
                columns.add(key.retain());
            }
            return scope.keep(Block.of(Schema.of(fields), columns, rows.rows()));
        }
    }

    private WindowPartitions partitions(Allocator allocator, Block keyed, RowOrder sorted) {
        IntColumn numbers = window.keys().isEmpty() ? null : (IntColumn) keyed.column(0);
        boolean asked = functions.stream().anyMatch(WindowBlocks::asksForPeers);
        return WindowPartitions.of(
                allocator,
                Math.toIntExact(sorted.rows()),
                numbers == null ? null : row -> numbers.get(sorted.row(row)) != numbers.get(sorted.row(row - 1)),
                asked ? row -> sorted.compare(sorted.row(row - 1), sorted.row(row)) != 0 : null);
    }

    /// Whether a function depends on peers (rows with equal order keys).
    static boolean asksForPeers(WindowFunction function) {
        return switch (function) {
            case WindowFunction.Numbering numbering ->
                switch (numbering.place()) {
                    case ROW_NUMBER, NTILE -> false;
                    case RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST -> true;
                };
            case WindowFunction.Shifted _ -> false;
            case WindowFunction.Picked picked -> picked.frame().unit() == Frame.Unit.RANGE;
            case WindowFunction.Aggregated aggregated -> aggregated.frame().unit() == Frame.Unit.RANGE;
        };
    }
}
