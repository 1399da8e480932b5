package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// For each aggregate: the accumulator over rows, the accumulator that merges states, and the result of states.
final class AccumulatorFunctions {
    private AccumulatorFunctions() {}

    /// @param column the values; null for a count of rows
    /// @param alone whether there is at most one group
    static GroupAccumulator accumulate(
            Allocator allocator, Aggregate aggregate, @Nullable Column column, int mostRows, boolean alone) {
        if (column == null) {
            return new CountAccumulator(allocator);
        }
        if (alone && goesOnAlone(aggregate, plain(column.type()))) {
            return switch (aggregate.function()) {
                case VALUE_COUNTS -> new UngroupedFrequencies(allocator, column, mostRows);
                case APPROXIMATE_COUNT_DISTINCT -> UngroupedSketch.distinct(allocator, column, mostRows);
                default -> UngroupedSketch.quantiles(allocator, column, mostRows);
            };
        }
        if (alone && UngroupedNumbers.isFor(aggregate, plain(column.type()))) {
            return UngroupedNumbers.of(allocator, aggregate, column, mostRows);
        }
        return switch (aggregate.function()) {
            case COUNT -> CountAccumulator.present(allocator, column);
            case COUNT_IF -> CountAccumulator.satisfied(allocator, column);
            case SUM ->
                column instanceof NullColumn
                        ? ChosenAccumulator.end(allocator, column, false)
                        : SumAccumulator.of(allocator, column, aggregate.toString(), mostRows);
            case MEAN -> new MeanAccumulator(allocator, column, mostRows);
            case STD, VARIANCE -> MomentAccumulator.of(allocator, column, mostRows);
            case MIN, ALL -> ChosenAccumulator.extreme(allocator, column, false, mostRows);
            case MAX, ANY -> ChosenAccumulator.extreme(allocator, column, true, mostRows);
            case FIRST -> ChosenAccumulator.end(allocator, column, false);
            case LAST -> ChosenAccumulator.end(allocator, column, true);
            case DEFINED -> new UserAccumulator(allocator, aggregate, column, false);
            case LIST, QUANTILE -> new ListAccumulator(allocator, column, false, false);
            case SET, COUNT_DISTINCT -> new ListAccumulator(allocator, column, false, true);
            case APPROXIMATE_QUANTILE, APPROXIMATE_QUANTILES -> new QuantileAccumulator(allocator, column, false);
            case APPROXIMATE_COUNT_DISTINCT -> new DistinctAccumulator(allocator, column, false);
            case APPROXIMATE_TOP_K, VALUE_COUNTS ->
                FrequencyAccumulator.of(allocator, column, mostValues(aggregate), keepsNull(aggregate));
            case MISSING_PERCENTAGE -> ShareAccumulator.missing(allocator, column);
            case ZERO_PERCENTAGE -> ShareAccumulator.zero(allocator, column, mostRows);
        };
    }

    /// Whether the accumulators of [#accumulate] for values of this type are incremental: they continue with other
    /// columns ([GroupAccumulator#bind]).
    ///
    /// @param type null for a count of rows
    /// @param alone whether there is at most one group
    static boolean goesOn(Aggregate aggregate, @Nullable DataType type, boolean alone) {
        return switch (aggregate.function()) {
            case COUNT, COUNT_IF, MISSING_PERCENTAGE -> true;
            case SUM, MEAN, STD, VARIANCE, ZERO_PERCENTAGE -> !(type instanceof DataType.Null);
            case MIN, MAX, ANY, ALL -> type != null && LongWords.areFor(type);
            default -> alone && type != null && goesOnAlone(aggregate, type);
        };
    }

    /// Whether the accumulators of [#accumulate] accept dictionaries of values of this type, if [ValueArrays#canRead]
    /// says so.
    static boolean takesCodes(Aggregate aggregate, DataType type, boolean alone) {
        return switch (aggregate.function()) {
            case SUM -> LongWords.areFor(type);
            case MEAN, STD, VARIANCE, ZERO_PERCENTAGE -> !(type instanceof DataType.Null);
            case MIN, MAX, ANY, ALL -> LongWords.areFor(type);
            case VALUE_COUNTS -> alone && KeyIds.areFor(type);
            default -> false;
        };
    }

    /// The input of [#accumulate] for a column: the column itself if it is accepted, otherwise its decoded dictionary.
    /// The caller releases it.
    static Column input(Allocator allocator, Aggregate aggregate, Column column, boolean alone) {
        return column instanceof DictionaryColumn coded
                        && !(takesCodes(aggregate, coded.type().value(), alone) && ValueArrays.canRead(coded))
                ? WidenKernel.to(allocator, coded, coded.type().value())
                : column.retain();
    }

    /// The type of the values.
    static DataType plain(DataType type) {
        return type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
    }

    private static boolean goesOnAlone(Aggregate aggregate, DataType type) {
        return switch (aggregate.function()) {
            case APPROXIMATE_QUANTILE, APPROXIMATE_QUANTILES -> !(type instanceof DataType.Null);
            case APPROXIMATE_COUNT_DISTINCT -> true;
            case VALUE_COUNTS -> KeyIds.areFor(type);
            default -> false;
        };
    }

    /// The number of columns of a state.
    static int width(Aggregate aggregate) {
        return switch (aggregate.function()) {
            case MEAN, APPROXIMATE_TOP_K, VALUE_COUNTS, MISSING_PERCENTAGE, ZERO_PERCENTAGE -> 2;
            case STD, VARIANCE -> 3;
            case COUNT,
                    COUNT_IF,
                    SUM,
                    MIN,
                    MAX,
                    FIRST,
                    LAST,
                    ANY,
                    ALL,
                    LIST,
                    SET,
                    COUNT_DISTINCT,
                    QUANTILE,
                    APPROXIMATE_QUANTILE,
                    APPROXIMATE_QUANTILES,
                    APPROXIMATE_COUNT_DISTINCT,
                    DEFINED -> 1;
        };
    }

    static GroupAccumulator merge(Allocator allocator, Aggregate aggregate, List<Column> states, int mostRows) {
        return switch (aggregate.function()) {
            case COUNT, COUNT_IF -> SumAccumulator.of(allocator, states.getFirst(), aggregate.toString(), mostRows);
            case MEAN, MISSING_PERCENTAGE, ZERO_PERCENTAGE ->
                new PairAccumulator(
                        SumAccumulator.of(allocator, states.getFirst(), aggregate.toString(), mostRows),
                        SumAccumulator.of(allocator, states.getLast(), aggregate.toString(), mostRows));
            case STD, VARIANCE -> MomentAccumulator.merge(allocator, states);
            case DEFINED -> new UserAccumulator(allocator, aggregate, states.getFirst(), true);
            case LIST, QUANTILE -> new ListAccumulator(allocator, states.getFirst(), true, false);
            case SET, COUNT_DISTINCT -> new ListAccumulator(allocator, states.getFirst(), true, true);
            case APPROXIMATE_QUANTILE, APPROXIMATE_QUANTILES ->
                new QuantileAccumulator(allocator, states.getFirst(), true);
            case APPROXIMATE_COUNT_DISTINCT -> new DistinctAccumulator(allocator, states.getFirst(), true);
            case APPROXIMATE_TOP_K, VALUE_COUNTS ->
                FrequencyAccumulator.merge(allocator, states, mostValues(aggregate), keepsNull(aggregate));
            case SUM ->
                states.getFirst() instanceof NullColumn nulls
                        ? ChosenAccumulator.end(allocator, nulls, false)
                        : SumAccumulator.merge(allocator, states.getFirst(), aggregate.toString(), mostRows);
            case MIN, MAX, FIRST, LAST, ANY, ALL ->
                accumulate(allocator, aggregate, states.getFirst(), mostRows, false);
        };
    }

    /// Whether the accumulators of [#merge] are incremental: they continue with other blocks
    /// ([GroupAccumulator#bind(List)]).
    ///
    /// @param type of the state's first column
    static boolean mergeGoesOn(Aggregate aggregate, DataType type) {
        return switch (aggregate.function()) {
            case COUNT, COUNT_IF, MEAN, MISSING_PERCENTAGE, ZERO_PERCENTAGE -> true;
            case SUM, MIN, MAX, ANY, ALL -> goesOn(aggregate, type, false);
            default -> false;
        };
    }

    /// The result as a column that the caller releases; the caller keeps the states.
    static Column finish(Allocator allocator, Aggregate aggregate, List<Column> states) {
        return switch (aggregate.function()) {
            case MEAN -> {
                DoubleColumn sums = (DoubleColumn) states.getFirst();
                LongColumn counts = (LongColumn) states.getLast();
                yield doubles(allocator, counts, group -> sums.get(group) / counts.get(group));
            }
            case STD -> {
                LongColumn counts = (LongColumn) states.getFirst();
                yield doubles(allocator, counts, group -> Math.sqrt(variance(aggregate, states, group)));
            }
            case VARIANCE ->
                doubles(allocator, (LongColumn) states.getFirst(), group -> variance(aggregate, states, group));
            case COUNT_DISTINCT -> sizes(allocator, (ListColumn) states.getFirst());
            case DEFINED -> UserAccumulator.finish(allocator, aggregate, states.getFirst());
            case QUANTILE ->
                ExactQuantiles.of(
                        allocator,
                        (ListColumn) states.getFirst(),
                        aggregate.arguments().getFirst());
            case APPROXIMATE_QUANTILE, APPROXIMATE_QUANTILES ->
                QuantileAccumulator.finish(allocator, aggregate, states.getFirst());
            case APPROXIMATE_COUNT_DISTINCT -> DistinctAccumulator.finish(allocator, states.getFirst());
            case APPROXIMATE_TOP_K ->
                ValueFrequencies.finish(
                        allocator, states, aggregate.arguments().getFirst().intValue());
            case VALUE_COUNTS -> ValueFrequencies.finish(allocator, states, Integer.MAX_VALUE);
            case MISSING_PERCENTAGE, ZERO_PERCENTAGE -> {
                LongColumn found = (LongColumn) states.getFirst();
                LongColumn all = (LongColumn) states.getLast();
                yield doubles(allocator, all, group -> found.get(group) / (double) all.get(group) * 100);
            }
            case SUM -> SumAccumulator.finish(states.getFirst(), aggregate.toString());
            case COUNT, COUNT_IF, MIN, MAX, FIRST, LAST, ANY, ALL, LIST, SET ->
                states.getFirst().retain();
        };
    }

    /// The number of non-null elements of each list.
    private static Column sizes(Allocator allocator, ListColumn lists) {
        long[] sizes = new long[Math.toIntExact(lists.length())];
        for (int i = 0; i < sizes.length; i++) {
            for (long at = lists.start(i); at < lists.end(i); at++) {
                sizes[i] += lists.elements().isNull(at) ? 0 : 1;
            }
        }
        return Columns.ofLongs(allocator, sizes);
    }

    private static double variance(Aggregate aggregate, List<Column> states, int group) {
        double degrees =
                aggregate.arguments().isEmpty() ? 1 : aggregate.arguments().getFirst();
        double divisor = ((LongColumn) states.get(0)).get(group) - degrees;
        return divisor <= 0 ? Double.NaN : ((DoubleColumn) states.get(2)).get(group) / divisor;
    }

    /// The number of values that are counted for each group.
    private static int mostValues(Aggregate aggregate) {
        return aggregate.function() == AggregateFunction.VALUE_COUNTS
                ? Integer.MAX_VALUE
                : (int) Math.min(
                        Integer.MAX_VALUE,
                        Math.max(
                                Aggregates.TOP_K_CAPACITY,
                                8 * aggregate.arguments().getFirst()));
    }

    private static boolean keepsNull(Aggregate aggregate) {
        return aggregate.function() == AggregateFunction.VALUE_COUNTS;
    }

    /// A number for each group, null if its count is zero.
    private static Column doubles(Allocator allocator, LongColumn counts, IntToDoubleFunction value) {
        int groups = Math.toIntExact(counts.length());
        if (groups == 0) {
            return Columns.empty(DataType.FLOAT64);
        }
        Buffer validity = allocator.allocateZeroed((groups + 7) / 8);
        try {
            Buffer data = allocator.allocateZeroed((long) groups * Double.BYTES);
            for (int group = 0; group < groups; group++) {
                if (counts.get(group) > 0) {
                    Bits.set(validity.segment(), group, true);
                    data.segment().setAtIndex(JAVA_DOUBLE, group, value.applyAsDouble(group));
                }
            }
            return new DoubleColumn(DataType.FLOAT64, groups, data, validity.retain(), 0, Column.UNKNOWN_NULLS);
        } finally {
            validity.release();
        }
    }

    /// The result of an aggregate over no rows, for which even the column's type may be unknown.
    static Column ofNothing(Allocator allocator, Aggregate aggregate, DataType type) {
        return switch (aggregate.function()) {
            case COUNT, COUNT_IF, COUNT_DISTINCT, APPROXIMATE_COUNT_DISTINCT -> Columns.ofLongs(allocator, 0);
            case DEFINED -> UserAccumulator.ofNothing(allocator, aggregate);
            default -> Columns.nulls(allocator, type, 1);
        };
    }
}
