package dev.millrace.internal.kernel.window;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.ConcatenateKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.WindowFunction;
import java.util.ArrayList;
import java.util.List;

/// The columns of window functions over sorted rows, side by side. One thread; closed by its owner.
final class WindowColumns implements AutoCloseable {
    private final SortedRows rows;
    private final List<WindowFunction> functions;
    private final List<WindowColumn> columns = new ArrayList<>();

    private WindowColumns(SortedRows rows, List<WindowFunction> functions) {
        this.rows = rows;
        this.functions = functions;
    }

    /// @param rows the caller keeps them
    static WindowColumns of(Allocator allocator, SortedRows rows, List<WindowFunction> functions, List<SortKey> order) {
        try (ResourceScope scope = new ResourceScope()) {
            WindowColumns made = scope.add(new WindowColumns(rows, functions));
            functions.forEach(function -> made.columns.add(column(allocator, rows, function, order)));
            return scope.keep(made);
        }
    }

    /// The rows `from` to `to`, followed by the functions' columns, as a block that the caller closes.
    Block next(int from, int to) {
        List<Field> fields = new ArrayList<>(rows.schema().fields());
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> made = scope.list();
            for (int i = 0; i < rows.schema().size(); i++) {
                made.add(rows.piece(i, from, to));
            }
            for (int i = 0; i < columns.size(); i++) {
                made.add(columns.get(i).next(from, to));
                fields.add(new Field(functions.get(i).name(), made.getLast().type()));
            }
            return scope.keep(Block.of(Schema.of(fields), made, to - from));
        }
    }

    @Override
    public void close() {
        columns.forEach(WindowColumn::close);
    }

    /// The column of a function over sorted rows, which the caller closes before these.
    ///
    /// @param order of the rows; needed only by frames of values
    static WindowColumn column(Allocator allocator, SortedRows rows, WindowFunction function, List<SortKey> order) {
        WindowPartitions partitions = rows.partitions();
        return switch (function) {
            case WindowFunction.Numbering numbering -> new RankColumns(allocator, partitions, numbering, null);
            case WindowFunction.Shifted shifted -> shifted(allocator, rows, shifted);
            case WindowFunction.Picked picked ->
                framed(allocator, rows, picked.frame(), order, frames -> picked(allocator, rows, frames, picked));
            case WindowFunction.Aggregated(Aggregate aggregate, Frame frame) ->
                frame.isPartition()
                        ? PartitionTotals.of(allocator, rows, aggregate)
                        : framed(
                                allocator,
                                rows,
                                frame,
                                order,
                                frames -> aggregated(allocator, rows, frames, aggregate));
        };
    }

    /// Creates a column over frames.
    private interface OfFrames {
        WindowColumn over(WindowFrames frames);
    }

    private static WindowColumn framed(
            Allocator allocator, SortedRows rows, Frame frame, List<SortKey> order, OfFrames made) {
        if (frame.unit() != Frame.Unit.VALUES) {
            return made.over(WindowFrames.of(rows.partitions(), frame));
        }
        SortKey key = order.getFirst();
        Column keys = ValueFrames.plain(allocator, rows.column(key.column()));
        return OwningColumn.over(
                keys, () -> made.over(ValueFrames.of(rows.partitions(), keys, frame, key.isDescending())));
    }

    private static WindowColumn picked(
            Allocator allocator, SortedRows rows, WindowFrames frames, WindowFunction.Picked picked) {
        Column column = rows.column(picked.column());
        return picked.skipNulls()
                ? FramePicks.nthValue(allocator, column, frames, picked.nth())
                : FramePicks.nth(allocator, column, frames, picked.nth());
    }

    /// A default value other than null is stored after the column's last value.
    private static WindowColumn shifted(Allocator allocator, SortedRows rows, WindowFunction.Shifted function) {
        Column column = rows.column(function.column());
        WindowPartitions partitions = rows.partitions();
        if (function.otherwise() == null) {
            return FramePicks.shifted(allocator, column, partitions, function.rows(), -1);
        }
        Column last = Columns.of(allocator, column.type(), List.of(function.otherwise()));
        try {
            Column both = ConcatenateKernel.columns(allocator, List.of(column, last));
            return OwningColumn.over(
                    both, () -> FramePicks.shifted(allocator, both, partitions, function.rows(), partitions.rows()));
        } finally {
            last.release();
        }
    }

    private static WindowColumn aggregated(
            Allocator allocator, SortedRows rows, WindowFrames frames, Aggregate aggregate) {
        if (aggregate.column() == null) {
            return new FrameCounts(allocator, frames, 0);
        }
        Column column = rows.plain(aggregate.column());
        return switch (aggregate.function()) {
            case SUM -> sum(allocator, frames, column, aggregate.toString());
            case MEAN -> mean(allocator, frames, column);
            case MIN, ALL -> new FrameExtremes(allocator, column, frames, false);
            case MAX, ANY -> new FrameExtremes(allocator, column, frames, true);
            case FIRST -> FramePicks.nth(allocator, column, frames, 1);
            case LAST -> FramePicks.nth(allocator, column, frames, -1);
            default -> throw new IllegalArgumentException(aggregate.toString());
        };
    }

    private static WindowColumn sum(Allocator allocator, WindowFrames frames, Column column, String name) {
        return switch (column) {
            case NullColumn _ -> new NothingColumn(allocator, DataType.NULL);
            case Column other when other.type() instanceof DataType.Float -> doubles(allocator, frames, other, false);
            // Integers and decimals.
            default -> new ExactSums(allocator, frames, (FixedWidthColumn) column, name);
        };
    }

    private static WindowColumn mean(Allocator allocator, WindowFrames frames, Column column) {
        return column instanceof NullColumn
                ? new NothingColumn(allocator, DataType.FLOAT64)
                : doubles(allocator, frames, column, true);
    }

    private static WindowColumn doubles(Allocator allocator, WindowFrames frames, Column column, boolean isMean) {
        DoubleColumn doubles = DoubleValues.of(allocator, column);
        return OwningColumn.over(doubles, () -> new FrameSums(allocator, frames, doubles, isMean));
    }

    /// Null for every row.
    private record NothingColumn(Allocator allocator, DataType type) implements WindowColumn {
        @Override
        public Column next(int from, int to) {
            return Columns.nulls(allocator, type, to - from);
        }

        @Override
        public void close() {
            // Nothing is kept.
        }
    }
}
