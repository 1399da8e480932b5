package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.internal.kernel.Compact;
import dev.millrace.internal.kernel.Concatenate;
import dev.millrace.internal.kernel.Widen;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.WindowFunction;
import java.util.Arrays;
import java.util.List;

/// A running aggregate from piece to piece: what it was at the end of one stands, as one more row, before the rows of
/// the next. One thread; closed by its user.
final class Carry implements AutoCloseable {
    private static final String VALUE = "v";

    private final Aggregate aggregate;
    private final Frame frame;
    private long rows;
    /// Values so far that are not null; only a mean asks.
    private long values;
    /// The result at the end of the last piece, of a mean the sum; null before the first.
    private Column last;

    Carry(WindowFunction.Aggregated function) {
        this.aggregate = function.aggregate();
        this.frame = function.frame();
    }

    /// The function's column of a piece, which the caller releases.
    Column compute(Allocator allocator, Block piece, Partitions partitions) {
        Column made = switch (aggregate.function()) {
            case COUNT -> counts(allocator, partitions);
            case LAST -> WindowBlocks.column(allocator, piece, partitions, over(aggregate), List.of());
            case MEAN -> mean(allocator, piece.column(aggregate.column()), partitions);
            default -> carried(allocator, piece.column(aggregate.column()), partitions, aggregate);
        };
        rows += partitions.rows();
        return made;
    }

    private WindowFunction.Aggregated over(Aggregate other) {
        return new WindowFunction.Aggregated(other, frame);
    }

    private Column counts(Allocator allocator, Partitions partitions) {
        FrameBounds frames = FrameBounds.of(partitions, frame);
        long[] counts = new long[partitions.rows()];
        for (int row = 0; row < counts.length; row++) {
            counts[row] = rows + frames.to[row];
        }
        return Columns.ofLongs(allocator, counts);
    }

    private Column carried(Allocator allocator, Column stored, Partitions partitions, Aggregate computed) {
        Column column = typed(allocator, stored, computed);
        try {
            Aggregate ofValue = new Aggregate(
                    computed.function(), VALUE, computed.name(), computed.arguments(), computed.definition());
            Column made = last == null
                    ? column(allocator, column, partitions, ofValue)
                    : behindLast(allocator, column, partitions, ofValue);
            close();
            last = Compact.column(allocator, made.slice(made.length() - 1, 1));
            return made;
        } finally {
            column.release();
        }
    }

    /// In the type of the result: a sum is wider than what is added.
    private static Column typed(Allocator allocator, Column stored, Aggregate computed) {
        DataType type = stored instanceof DictionaryColumn dictionary
                ? dictionary.type().value()
                : stored.type();
        if (computed.function() == AggregateFunction.SUM) {
            type = switch (type) {
                case DataType.Float _ -> DataType.FLOAT64;
                case DataType.Decimal decimal -> DataType.decimal(38, decimal.scale());
                case DataType.Int _ -> DataType.INT64;
                default -> type;
            };
        }
        return Widen.to(allocator, stored, type);
    }

    private Column behindLast(Allocator allocator, Column column, Partitions partitions, Aggregate ofValue) {
        Column first = Widen.to(allocator, last, column.type());
        try {
            Column both = Concatenate.columns(allocator, List.of(first, column));
            try {
                Column made = column(allocator, both, partitions.behindOne(), ofValue);
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

    private Column column(Allocator allocator, Column column, Partitions partitions, Aggregate ofValue) {
        try (Block block = Block.sharing(Schema.of(VALUE, column.type()), List.of(column), column.length())) {
            return WindowBlocks.column(allocator, block, partitions, over(ofValue), List.of());
        }
    }

    /// The running sum of doubles, by the number of values so far.
    private Column mean(Allocator allocator, Column stored, Partitions partitions) {
        if (stored instanceof NullColumn) {
            return Columns.nulls(allocator, DataType.FLOAT64, stored.length());
        }
        Column doubles = doubles(allocator, stored);
        try {
            Aggregate sum = Aggregates.sum(VALUE);
            DoubleColumn sums = (DoubleColumn) carried(allocator, doubles, partitions, sum);
            try {
                return means(allocator, doubles, sums, FrameBounds.of(partitions, frame));
            } finally {
                sums.release();
            }
        } finally {
            doubles.release();
        }
    }

    private static Column doubles(Allocator allocator, Column stored) {
        Column plain = stored instanceof DictionaryColumn dictionary
                ? Widen.to(allocator, stored, dictionary.type().value())
                : stored.retain();
        try {
            if (!(plain instanceof DecimalColumn decimals)) {
                return Widen.to(allocator, plain, DataType.FLOAT64);
            }
            Double[] values = new Double[Math.toIntExact(decimals.length())];
            for (int row = 0; row < values.length; row++) {
                values[row] = decimals.isNull(row) ? null : decimals.get(row).doubleValue();
            }
            return Columns.of(allocator, DataType.FLOAT64, Arrays.asList(values));
        } finally {
            plain.release();
        }
    }

    private Column means(Allocator allocator, Column doubles, DoubleColumn sums, FrameBounds frames) {
        int count = frames.rows();
        int[] before = FrameSums.valuesBefore(doubles);
        Buffer validity = allocator.allocateZeroed((count + 7) / 8);
        try {
            Buffer data = allocator.allocateZeroed((long) count * Double.BYTES);
            for (int row = 0; row < count; row++) {
                long there = values + before[frames.to[row]];
                if (there > 0) {
                    Bits.set(validity.segment(), row, true);
                    data.segment().setAtIndex(JAVA_DOUBLE, row, sums.get(row) / there);
                }
            }
            values += before[count];
            return new DoubleColumn(DataType.FLOAT64, count, data, validity.retain(), 0, Column.UNKNOWN_NULLS);
        } finally {
            validity.release();
        }
    }

    @Override
    public void close() {
        if (last != null) {
            last.release();
            last = null;
        }
    }
}
