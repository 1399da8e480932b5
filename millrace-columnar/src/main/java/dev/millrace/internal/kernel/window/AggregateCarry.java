package dev.millrace.internal.kernel.window;

import static java.util.Objects.requireNonNull;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.CompactKernel;
import dev.millrace.internal.kernel.ConcatenateKernel;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.WindowFunction;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// A running aggregate that continues from piece to piece. Counts, sums and means are incremental; for others, the
/// value at the end of a piece is prepended, as one more row, to the rows of the next. One thread; closed by its user.
final class AggregateCarry implements AutoCloseable {
    private static final String VALUE = "v";

    private final Aggregate aggregate;
    private final Frame frame;
    private long rows;
    /// An incremental sum or mean, and the type of its results; null before the first piece.
    private @Nullable RunningColumn running;

    private @Nullable DataType runningType;
    /// The result at the end of the last piece; null before the first.
    private @Nullable Column last;

    AggregateCarry(WindowFunction.Aggregated function) {
        this.aggregate = function.aggregate();
        this.frame = function.frame();
    }

    /// The function's column of a piece, which the caller releases.
    Column compute(Allocator allocator, Block piece, WindowPartitions partitions) {
        Column made = switch (aggregate.function()) {
            case COUNT ->
                new FrameCounts(allocator, WindowFrames.of(partitions, frame), rows).next(0, partitions.rows());
            case LAST -> column(allocator, values(piece), partitions);
            case SUM, MEAN -> {
                Column column = plain(allocator, values(piece));
                try {
                    yield sum(allocator, column, partitions);
                } finally {
                    column.release();
                }
            }
            default -> carried(allocator, values(piece), partitions);
        };
        rows += partitions.rows();
        return made;
    }

    private Column values(Block piece) {
        return piece.column(requireNonNull(aggregate.column(), "only a count has no column"));
    }

    private static Column plain(Allocator allocator, Column stored) {
        return stored instanceof DictionaryColumn dictionary
                ? WidenKernel.to(allocator, stored, dictionary.type().value())
                : stored.retain();
    }

    private Column sum(Allocator allocator, Column column, WindowPartitions partitions) {
        boolean isMean = aggregate.function() == AggregateFunction.MEAN;
        if (column instanceof NullColumn) {
            return Columns.nulls(allocator, isMean ? DataType.FLOAT64 : DataType.NULL, column.length());
        }
        Column added = isMean || column.type() instanceof DataType.Float
                ? DoubleValues.of(allocator, column)
                : column.retain();
        try {
            DataType type = sumType(added.type());
            Column made;
            if (running != null && type.equals(runningType)) {
                running.goOn(added, WindowFrames.of(partitions, frame));
                made = running.next(0, partitions.rows());
            } else if (running == null) {
                made = begin(allocator, added, partitions, isMean);
            } else {
                running.close();
                running = null;
                made = beginBehindLast(allocator, added, partitions, type);
            }
            runningType = type;
            remember(allocator, made);
            return made;
        } finally {
            added.release();
        }
    }

    private static DataType sumType(DataType type) {
        return switch (type) {
            case DataType.Float _ -> DataType.FLOAT64;
            case DataType.Decimal decimal -> DataType.decimal(38, decimal.scale());
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> DataType.INT64;
        };
    }

    private Column begin(Allocator allocator, Column added, WindowPartitions partitions, boolean isMean) {
        WindowFrames frames = WindowFrames.of(partitions, frame);
        running = added instanceof DoubleColumn doubles
                ? new FrameSums(allocator, frames, doubles, isMean)
                : new ExactSums(allocator, frames, (FixedWidthColumn) added, aggregate.toString());
        return running.next(0, partitions.rows());
    }

    /// A sum of rows whose type differs from that of the rows before.
    private Column beginBehindLast(Allocator allocator, Column added, WindowPartitions partitions, DataType type) {
        Column wide = WidenKernel.to(allocator, added, type);
        try {
            return behindLast(allocator, wide, partitions, (both, behind) -> begin(allocator, both, behind, false));
        } finally {
            wide.release();
        }
    }

    private Column carried(Allocator allocator, Column stored, WindowPartitions partitions) {
        Column column = plain(allocator, stored);
        try {
            Column made = last == null
                    ? column(allocator, column, partitions)
                    : behindLast(allocator, column, partitions, (both, behind) -> column(allocator, both, behind));
            remember(allocator, made);
            return made;
        } finally {
            column.release();
        }
    }

    private void remember(Allocator allocator, Column made) {
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(made);
            forget();
            last = CompactKernel.column(allocator, made.slice(made.length() - 1, 1));
            scope.keep();
        }
    }

    private Column behindLast(
            Allocator allocator,
            Column column,
            WindowPartitions partitions,
            BiFunction<Column, WindowPartitions, Column> maker) {
        Column before = requireNonNull(last, "there is a last value behind rows");
        Column first = WidenKernel.to(allocator, before, column.type());
        try {
            Column both = ConcatenateKernel.columns(allocator, List.of(first, column));
            try (WindowPartitions behind = partitions.behindOne(allocator)) {
                Column made = maker.apply(both, behind);
                try {
                    return made.slice(1, column.length()).retain();
                } finally {
                    made.release();
                }
            } finally {
                both.release();
            }
        } finally {
            first.release();
        }
    }

    /// The aggregate over this column alone.
    private Column column(Allocator allocator, Column column, WindowPartitions partitions) {
        Aggregate ofValue = new Aggregate(
                aggregate.function(), VALUE, aggregate.name(), aggregate.arguments(), aggregate.definition());
        try (Block block = Block.sharing(Schema.of(VALUE, column.type()), List.of(column), column.length());
                SortedRows sorted = new SortedRows(allocator, block, null, partitions);
                WindowColumn made = WindowColumns.column(
                        allocator, sorted, new WindowFunction.Aggregated(ofValue, frame), List.of())) {
            return made.next(0, partitions.rows());
        }
    }

    private void forget() {
        if (last != null) {
            last.release();
            last = null;
        }
    }

    @Override
    public void close() {
        forget();
        if (running != null) {
            running.close();
            running = null;
        }
    }
}
