package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.expression.SortKey;
import dev.millrace.internal.kernel.Concatenate;
import dev.millrace.internal.kernel.Gather;
import dev.millrace.internal.kernel.Widen;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.internal.kernel.aggregate.RowGroups;
import dev.millrace.internal.kernel.sort.RowOrder;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Window functions over rows of whole partitions.
public record WindowBlocks(Window window, List<WindowFunction> functions) implements Serializable {
    private static final String PARTITION = "partition";

    public WindowBlocks {
        functions = List.copyOf(functions);
    }

    /// The rows with the functions' columns behind theirs: partition by partition, these in the order of their first
    /// rows, and each in the window's order.
    ///
    /// @param rows of every partition all or none; they stay the caller's
    public Block compute(Allocator allocator, Block rows) {
        WindowTypes.result(rows.schema(), window, functions);
        int count = Math.toIntExact(rows.rows());
        int[] positions = new int[count];
        Partitions partitions;
        try (Block keyed = keyed(allocator, rows)) {
            List<SortKey> order = new ArrayList<>();
            if (!window.keys().isEmpty()) {
                order.add(SortKey.ascending(PARTITION));
            }
            // Columns are found by their place, as "0", "1" and so on: a user's may have any name.
            for (int i = 0; i < window.order().size(); i++) {
                order.add(new SortKey(Integer.toString(i), window.order().get(i).isDescending()));
            }
            try (RowOrder sorted = RowOrder.of(allocator, keyed, order)) {
                sorted.copy(0, count, positions);
                partitions = partitions(keyed, sorted, positions);
            }
        }
        try (Block sorted = Blocks.take(allocator, rows, positions, count)) {
            return append(allocator, sorted, partitions);
        }
    }

    /// The columns that decide the order: the number of each row's partition, then the order's keys.
    private Block keyed(Allocator allocator, Block rows) {
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        try {
            if (!window.keys().isEmpty()) {
                fields.add(new Field(PARTITION, DataType.INT32));
                columns.add(ints(
                        allocator, RowGroups.of(allocator, rows, window.keys()).numbers()));
            }
            for (int i = 0; i < window.order().size(); i++) {
                Column key = rows.column(window.order().get(i).column());
                fields.add(new Field(Integer.toString(i), key.type()));
                columns.add(key.retain());
            }
            return Block.of(Schema.of(fields), columns, rows.rows());
        } catch (RuntimeException | Error e) {
            columns.forEach(Column::release);
            throw e;
        }
    }

    private static Column ints(Allocator allocator, int[] values) {
        if (values.length == 0) {
            return Columns.empty(DataType.INT32);
        }
        Buffer data = allocator.allocate((long) values.length * Integer.BYTES);
        MemorySegment.copy(values, 0, data.segment(), JAVA_INT, 0, values.length);
        return new IntColumn(DataType.INT32, values.length, data, null, 0, 0);
    }

    private Partitions partitions(Block keyed, RowOrder sorted, int[] positions) {
        int rows = positions.length;
        int[] starts = new int[rows + 1];
        int found = 0;
        if (window.keys().isEmpty()) {
            found = rows == 0 ? 0 : 1;
        } else {
            IntColumn numbers = (IntColumn) keyed.column(0);
            for (int row = 0; row < rows; row++) {
                if (row == 0 || numbers.get(positions[row]) != numbers.get(positions[row - 1])) {
                    starts[found++] = row;
                }
            }
        }
        starts[found] = rows;
        int[] ofPartitions = Arrays.copyOf(starts, found + 1);
        if (functions.stream().noneMatch(WindowBlocks::asksForPeers)) {
            return new Partitions(rows, ofPartitions, ofPartitions);
        }
        int peers = 0;
        for (int row = 0; row < rows; row++) {
            if (row == 0 || sorted.compare(positions[row - 1], positions[row]) != 0) {
                starts[peers++] = row;
            }
        }
        starts[peers] = rows;
        return new Partitions(rows, ofPartitions, Arrays.copyOf(starts, peers + 1));
    }

    /// Whether a function looks at rows with equal order keys.
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

    private Block append(Allocator allocator, Block sorted, Partitions partitions) {
        List<Field> fields = new ArrayList<>(sorted.schema().fields());
        List<Column> columns = new ArrayList<>();
        try {
            sorted.columns().forEach(column -> columns.add(column.retain()));
            for (WindowFunction function : functions) {
                Column made = column(allocator, sorted, partitions, function, window.order());
                columns.add(made);
                fields.add(new Field(function.name(), made.type()));
            }
            return Block.of(Schema.of(fields), columns, sorted.rows());
        } catch (RuntimeException | Error e) {
            columns.forEach(Column::release);
            throw e;
        }
    }

    /// The column of a function over sorted rows, which the caller releases.
    ///
    /// @param order by which they are; only frames of values ask
    static Column column(
            Allocator allocator, Block sorted, Partitions partitions, WindowFunction function, List<SortKey> order) {
        return switch (function) {
            case WindowFunction.Numbering numbering -> Places.of(allocator, partitions, numbering);
            case WindowFunction.Shifted shifted -> shifted(allocator, sorted, partitions, shifted);
            case WindowFunction.Picked picked -> {
                FrameBounds frames = frames(allocator, sorted, partitions, picked.frame(), order);
                Column column = sorted.column(picked.column());
                int[] rows = picked.skipNulls()
                        ? FramePicks.nthValue(frames, column, picked.nth())
                        : FramePicks.nth(frames, picked.nth());
                yield Gather.takeOrNull(allocator, column, rows, rows.length);
            }
            case WindowFunction.Aggregated(Aggregate aggregate, Frame frame) ->
                frame.isPartition()
                        ? total(allocator, sorted, partitions, aggregate)
                        : framed(allocator, sorted, frames(allocator, sorted, partitions, frame, order), aggregate);
        };
    }

    private static FrameBounds frames(
            Allocator allocator, Block sorted, Partitions partitions, Frame frame, List<SortKey> order) {
        return frame.unit() == Frame.Unit.VALUES
                ? ValueFrames.of(allocator, sorted, partitions, frame, order.getFirst())
                : FrameBounds.of(partitions, frame);
    }

    /// Where another value than null stands for rows that are not there, it lies behind the column's last one.
    private static Column shifted(
            Allocator allocator, Block sorted, Partitions partitions, WindowFunction.Shifted function) {
        Column column = sorted.column(function.column());
        if (function.otherwise() == null) {
            int[] rows = FramePicks.shifted(partitions, function.rows(), -1);
            return Gather.takeOrNull(allocator, column, rows, rows.length);
        }
        Column last = Columns.of(allocator, column.type(), List.of(function.otherwise()));
        try {
            Column both = Concatenate.columns(allocator, List.of(column, last));
            try {
                int[] rows = FramePicks.shifted(partitions, function.rows(), partitions.rows());
                return Gather.take(allocator, both, rows, rows.length);
            } finally {
                both.release();
            }
        } finally {
            last.release();
        }
    }

    /// One result for each partition, as a group by makes it, beside each of its rows.
    private static Column total(Allocator allocator, Block sorted, Partitions partitions, Aggregate aggregate) {
        int[] numbers = partitions.numbers();
        String name = aggregate.column();
        String key = PARTITION.equals(name) ? PARTITION + " number" : PARTITION;
        GroupedBlocks grouping = new GroupedBlocks(List.of(key), List.of(aggregate.as("result")));
        List<Field> fields = new ArrayList<>(List.of(new Field(key, DataType.INT32)));
        List<Column> columns = new ArrayList<>(List.of(ints(allocator, numbers)));
        if (name != null) {
            fields.add(new Field(name, sorted.schema().type(name)));
            columns.add(sorted.column(name).retain());
        }
        try (Block rows = Block.of(Schema.of(fields), columns, sorted.rows());
                Block states = grouping.accumulate(allocator, rows);
                Block results = grouping.finish(allocator, states)) {
            return Gather.take(allocator, results.column(1), numbers, numbers.length);
        }
    }

    private static Column framed(Allocator allocator, Block sorted, FrameBounds frames, Aggregate aggregate) {
        if (aggregate.column() == null) {
            return FrameSums.counts(allocator, frames);
        }
        Column stored = sorted.column(aggregate.column());
        Column column = stored instanceof DictionaryColumn dictionary
                ? Widen.to(allocator, stored, dictionary.type().value())
                : stored.retain();
        try {
            return switch (aggregate.function()) {
                case SUM -> FrameSums.sums(allocator, frames, column, aggregate.toString());
                case MEAN -> FrameSums.means(allocator, frames, column);
                case MIN, ALL -> taken(allocator, column, FramePicks.extreme(allocator, frames, column, false));
                case MAX, ANY -> taken(allocator, column, FramePicks.extreme(allocator, frames, column, true));
                case FIRST -> taken(allocator, column, FramePicks.nth(frames, 1));
                case LAST -> taken(allocator, column, FramePicks.nth(frames, -1));
                default -> throw new IllegalArgumentException(aggregate.toString());
            };
        } finally {
            column.release();
        }
    }

    private static Column taken(Allocator allocator, Column column, int[] rows) {
        return Gather.takeOrNull(allocator, column, rows, rows.length);
    }
}
