package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sums, means and extremes of the only group without keys: the same states as [SumAccumulator], [MeanAccumulator] and
/// [MinMaxAccumulator], by loops that keep them in registers. Incremental over any number of columns.
abstract sealed class UngroupedNumbers extends GroupAccumulator {
    private static final long LOW_HALF = 0xFFFF_FFFFL;

    private final ValueArrays values;
    /// The current column, if its words can be read directly; else null.
    private @Nullable MemorySegment words;
    /// The number of non-null values.
    long count;

    private UngroupedNumbers(Allocator allocator, Column column, int mostRows, boolean asDoubles) {
        super(allocator);
        this.values = new ValueArrays(column, mostRows, asDoubles);
        take(column);
    }

    static boolean isFor(Aggregate aggregate, DataType type) {
        return switch (aggregate.function()) {
            case SUM, MEAN -> type instanceof DataType.Int || type instanceof DataType.Float;
            case MIN, MAX -> LongWords.areFor(type);
            default -> false;
        };
    }

    static UngroupedNumbers of(Allocator allocator, Aggregate aggregate, Column column, int mostRows) {
        boolean isMean = aggregate.function() == AggregateFunction.MEAN;
        return switch (aggregate.function()) {
            case SUM, MEAN ->
                AccumulatorFunctions.plain(column.type()) instanceof DataType.Float
                        ? new DoubleSum(allocator, column, isMean, mostRows)
                        : new LongSum(allocator, column, isMean, mostRows);
            case MIN -> new Extreme(allocator, column, false, mostRows);
            default -> new Extreme(allocator, column, true, mostRows);
        };
    }

    private void take(Column column) {
        boolean isPlain = !column.hasNulls()
                && (column instanceof LongColumn && !column.type().equals(DataType.UINT64)
                        || column instanceof DoubleColumn);
        words = isPlain ? ((FixedWidthColumn) column).values() : null;
    }

    @Override
    final void bind(Column column) {
        values.bind(column);
        take(column);
    }

    @Override
    final void reserve(int groups) {
        // There is one group.
    }

    @Override
    final void update(int[] groups, long from, int rows) {
        if (words != null) {
            count += rows;
            add(words, from, rows);
        } else {
            values.select(groups, from, rows);
            count += values.count;
            add(values);
        }
    }

    /// Adds words as they are stored.
    abstract void add(MemorySegment stored, long from, int rows);

    abstract void add(ValueArrays selected);

    @Override
    public void close() {
        // Nothing is held.
    }

    /// One value; null if there was none to add.
    final Column single(DataType type, long low, long high) {
        Buffer validity = count == 0 ? allocator.allocateZeroed(1) : null;
        Buffer data;
        try (ResourceScope scope = new ResourceScope()) {
            if (validity != null) {
                scope.add(validity);
            }
            data = allocator.allocateZeroed(2 * Long.BYTES);
            scope.keep();
        }
        data.segment().setAtIndex(JAVA_LONG, 0, low);
        data.segment().setAtIndex(JAVA_LONG, 1, high);
        return FixedWidthColumn.of(type, 1, data, validity, 0, Column.UNKNOWN_NULLS);
    }

    /// The state of a mean: sum and count.
    final List<Column> mean(int groups, double sum) {
        if (groups == 0) {
            return List.of(Columns.empty(DataType.FLOAT64), Columns.empty(DataType.INT64));
        }
        try (ResourceScope scope = new ResourceScope()) {
            Column sums = scope.add(Columns.ofDoubles(allocator, sum));
            return scope.keep(List.of(sums, Columns.ofLongs(allocator, count)));
        }
    }

    /// Exact, in 128 bits: the upper and lower halves of the values are summed separately, which cannot overflow within
    /// a stretch, and which the compiler vectorises.
    private static final class LongSum extends UngroupedNumbers {
        private final boolean isMean;
        private final boolean unsigned;
        private long low;
        private long high;

        LongSum(Allocator allocator, Column column, boolean isMean, int mostRows) {
            super(allocator, column, mostRows, false);
            this.isMean = isMean;
            this.unsigned = AccumulatorFunctions.plain(column.type()).equals(DataType.UINT64);
        }

        @Override
        void add(MemorySegment stored, long from, int rows) {
            long upper = 0;
            long lower = 0;
            for (long i = from; i < from + rows; i++) {
                long value = stored.getAtIndex(JAVA_LONG, i);
                upper += value >> 32;
                lower += value & LOW_HALF;
            }
            addHalves(upper, lower);
        }

        @Override
        void add(ValueArrays selected) {
            selected.readLongs();
            long[] longs = selected.longs;
            long upper = 0;
            long lower = 0;
            for (int i = 0; i < selected.count; i++) {
                upper += longs[i] >> 32;
                lower += longs[i] & LOW_HALF;
            }
            for (int i = 0; unsigned && i < selected.count; i++) {
                upper += longs[i] < 0 ? 1L << 32 : 0;
            }
            addHalves(upper, lower);
        }

        private void addHalves(long upper, long lower) {
            addWord(upper << 32, upper >> 32);
            addWord(lower, 0);
        }

        private void addWord(long word, long above) {
            low += word;
            high += above + (Long.compareUnsigned(low, word) < 0 ? 1 : 0);
        }

        @Override
        List<Column> build(int groups) {
            if (isMean) {
                return mean(groups, high == low >> 63 ? low : high * 0x1p64 + ValueArrays.unsigned(low));
            }
            if (groups == 0) {
                return List.of(Columns.empty(DataType.INT64));
            }
            return List.of(single(high == low >> 63 ? DataType.INT64 : WideSums.TYPE, low, high));
        }
    }

    private static final class DoubleSum extends UngroupedNumbers {
        private final boolean isMean;
        private double sum;

        DoubleSum(Allocator allocator, Column column, boolean isMean, int mostRows) {
            super(allocator, column, mostRows, true);
            this.isMean = isMean;
        }

        @Override
        void add(MemorySegment stored, long from, int rows) {
            double a = 0;
            double b = 0;
            double c = 0;
            double d = 0;
            long end = from + rows;
            long i = from;
            for (; i + 3 < end; i += 4) {
                a += stored.getAtIndex(JAVA_DOUBLE, i);
                b += stored.getAtIndex(JAVA_DOUBLE, i + 1);
                c += stored.getAtIndex(JAVA_DOUBLE, i + 2);
                d += stored.getAtIndex(JAVA_DOUBLE, i + 3);
            }
            for (; i < end; i++) {
                a += stored.getAtIndex(JAVA_DOUBLE, i);
            }
            sum += a + b + (c + d);
        }

        @Override
        void add(ValueArrays selected) {
            selected.readDoubles();
            double[] doubles = selected.doubles;
            double a = 0;
            double b = 0;
            int i = 0;
            for (; i + 1 < selected.count; i += 2) {
                a += doubles[i];
                b += doubles[i + 1];
            }
            sum += a + b + (i < selected.count ? doubles[i] : 0);
        }

        @Override
        List<Column> build(int groups) {
            if (isMean) {
                return mean(groups, sum);
            }
            return List.of(
                    groups == 0
                            ? Columns.empty(DataType.FLOAT64)
                            : single(DataType.FLOAT64, Double.doubleToRawLongBits(sum), 0));
        }
    }

    private static final class Extreme extends UngroupedNumbers {
        private final DataType type;
        private final boolean isReal;
        private final boolean greatest;
        private long best;

        Extreme(Allocator allocator, Column column, boolean greatest, int mostRows) {
            super(allocator, column, mostRows, false);
            this.type = AccumulatorFunctions.plain(column.type());
            this.isReal = type instanceof DataType.Float;
            this.greatest = greatest;
            this.best = greatest ? Long.MIN_VALUE : Long.MAX_VALUE;
        }

        @Override
        void add(MemorySegment stored, long from, int rows) {
            long most = Long.MIN_VALUE;
            long least = Long.MAX_VALUE;
            if (isReal) {
                for (long i = from; i < from + rows; i++) {
                    long value = ValueArrays.ordered(stored.getAtIndex(JAVA_DOUBLE, i));
                    most = Math.max(most, value);
                    least = Math.min(least, value);
                }
            } else {
                for (long i = from; i < from + rows; i++) {
                    long value = stored.getAtIndex(JAVA_LONG, i);
                    most = Math.max(most, value);
                    least = Math.min(least, value);
                }
            }
            best = greatest ? Math.max(best, most) : Math.min(best, least);
        }

        @Override
        void add(ValueArrays selected) {
            selected.readOrdered();
            long most = Long.MIN_VALUE;
            long least = Long.MAX_VALUE;
            for (int i = 0; i < selected.count; i++) {
                most = Math.max(most, selected.longs[i]);
                least = Math.min(least, selected.longs[i]);
            }
            best = greatest ? Math.max(best, most) : Math.min(best, least);
        }

        @Override
        List<Column> build(int groups) {
            Buffer validity = groups > 0 && count == 0 ? allocator.allocateZeroed(1) : null;
            long word = count == 0 ? 0 : ValueArrays.fromOrdered(type, best);
            return List.of(LongWords.column(allocator, type, groups, validity, _ -> word));
        }
    }
}
