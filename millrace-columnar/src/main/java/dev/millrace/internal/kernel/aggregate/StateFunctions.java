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
import dev.millrace.internal.kernel.Widen;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/// For each aggregate, the states that rows make, that states make, and the result that states make.
final class StateFunctions {
    private StateFunctions() {}

    /// @param column the values; null for a count of rows
    /// @param alone whether there is one group at most
    static States accumulate(Allocator allocator, Aggregate aggregate, Column column, int mostRows, boolean alone) {
        if (alone && column != null && goesOnAlone(aggregate, plain(column.type()))) {
            return switch (aggregate.function()) {
                case VALUE_COUNTS -> new LoneFrequencies(allocator, column, mostRows);
                case APPROXIMATE_COUNT_DISTINCT -> LoneStates.distinct(allocator, column, mostRows);
                default -> LoneStates.quantiles(allocator, column, mostRows);
            };
        }
        if (alone && column != null && LoneNumbers.isFor(aggregate, plain(column.type()))) {
            return LoneNumbers.of(allocator, aggregate, column, mostRows);
        }
        return switch (aggregate.function()) {
            case COUNT -> new CountStates(allocator);
            case SUM ->
                column instanceof NullColumn
                        ? ChosenStates.end(allocator, column, false)
                        : SumStates.of(allocator, column, aggregate.toString(), mostRows);
            case MEAN -> new MeanStates(allocator, column, mostRows);
            case STD, VARIANCE -> MomentStates.of(allocator, column, mostRows);
            case MIN, ALL -> ChosenStates.extreme(allocator, column, false, mostRows);
            case MAX, ANY -> ChosenStates.extreme(allocator, column, true, mostRows);
            case FIRST -> ChosenStates.end(allocator, column, false);
            case LAST -> ChosenStates.end(allocator, column, true);
            case DEFINED -> new DefinedStates(allocator, aggregate, column, false);
            case LIST, QUANTILE -> new ListStates(allocator, column, false, false);
            case SET, COUNT_DISTINCT -> new ListStates(allocator, column, false, true);
            case APPROXIMATE_QUANTILE, APPROXIMATE_QUANTILES -> new QuantileStates(allocator, column, false);
            case APPROXIMATE_COUNT_DISTINCT -> new DistinctStates(allocator, column, false);
            case APPROXIMATE_TOP_K, VALUE_COUNTS ->
                FrequencyStates.of(allocator, column, mostValues(aggregate), keepsNull(aggregate));
            case MISSING_PERCENTAGE -> ShareStates.missing(allocator, column);
            case ZERO_PERCENTAGE -> ShareStates.zero(allocator, column, mostRows);
        };
    }

    /// Whether the states that [#accumulate] makes of values of this type go on with other columns ([States#bind]).
    ///
    /// @param alone whether there is one group at most
    static boolean goesOn(Aggregate aggregate, DataType type, boolean alone) {
        return switch (aggregate.function()) {
            case COUNT, MISSING_PERCENTAGE -> true;
            case SUM, MEAN, STD, VARIANCE, ZERO_PERCENTAGE -> !(type instanceof DataType.Null);
            case MIN, MAX, ANY, ALL -> Words.areFor(type);
            default -> alone && goesOnAlone(aggregate, type);
        };
    }

    /// Whether the states that [#accumulate] makes take dictionaries of values of this type, where [Values#canRead]
    /// says
    /// so.
    static boolean takesCodes(Aggregate aggregate, DataType type, boolean alone) {
        return switch (aggregate.function()) {
            case SUM -> Words.areFor(type);
            case MEAN, STD, VARIANCE, ZERO_PERCENTAGE -> !(type instanceof DataType.Null);
            case MIN, MAX, ANY, ALL -> Words.areFor(type);
            case VALUE_COUNTS -> alone && KeyNumbers.areFor(type);
            default -> false;
        };
    }

    /// What [#accumulate] gets of a column: the same where it takes it, otherwise its dictionary's values. The caller
    /// releases it.
    static Column input(Allocator allocator, Aggregate aggregate, Column column, boolean alone) {
        return column instanceof DictionaryColumn coded
                        && !(takesCodes(aggregate, coded.type().value(), alone) && Values.canRead(coded))
                ? Widen.to(allocator, coded, coded.type().value())
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
            case VALUE_COUNTS -> KeyNumbers.areFor(type);
            default -> false;
        };
    }

    /// How many columns a state has.
    static int width(Aggregate aggregate) {
        return switch (aggregate.function()) {
            case MEAN, APPROXIMATE_TOP_K, VALUE_COUNTS, MISSING_PERCENTAGE, ZERO_PERCENTAGE -> 2;
            case STD, VARIANCE -> 3;
            case COUNT,
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

    static States merge(Allocator allocator, Aggregate aggregate, List<Column> states, int mostRows) {
        return switch (aggregate.function()) {
            case COUNT -> SumStates.of(allocator, states.getFirst(), aggregate.toString(), mostRows);
            case MEAN, MISSING_PERCENTAGE, ZERO_PERCENTAGE ->
                new BothStates(
                        SumStates.of(allocator, states.getFirst(), aggregate.toString(), mostRows),
                        SumStates.of(allocator, states.getLast(), aggregate.toString(), mostRows));
            case STD, VARIANCE -> MomentStates.merge(allocator, states);
            case DEFINED -> new DefinedStates(allocator, aggregate, states.getFirst(), true);
            case LIST, QUANTILE -> new ListStates(allocator, states.getFirst(), true, false);
            case SET, COUNT_DISTINCT -> new ListStates(allocator, states.getFirst(), true, true);
            case APPROXIMATE_QUANTILE, APPROXIMATE_QUANTILES -> new QuantileStates(allocator, states.getFirst(), true);
            case APPROXIMATE_COUNT_DISTINCT -> new DistinctStates(allocator, states.getFirst(), true);
            case APPROXIMATE_TOP_K, VALUE_COUNTS ->
                FrequencyStates.merge(allocator, states, mostValues(aggregate), keepsNull(aggregate));
            case SUM ->
                states.getFirst() instanceof NullColumn nulls
                        ? ChosenStates.end(allocator, nulls, false)
                        : SumStates.merge(allocator, states.getFirst(), aggregate.toString(), mostRows);
            case MIN, MAX, FIRST, LAST, ANY, ALL ->
                accumulate(allocator, aggregate, states.getFirst(), mostRows, false);
        };
    }

    /// Whether the states that [#merge] makes go on with other blocks ([States#bind(List)]).
    ///
    /// @param type of the state's first column
    static boolean mergeGoesOn(Aggregate aggregate, DataType type) {
        return switch (aggregate.function()) {
            case COUNT, MEAN, MISSING_PERCENTAGE, ZERO_PERCENTAGE -> true;
            case SUM, MIN, MAX, ANY, ALL -> goesOn(aggregate, type, false);
            default -> false;
        };
    }

    /// The result as a column that the caller releases; the states stay the caller's.
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
            case DEFINED -> DefinedStates.finish(allocator, aggregate, states.getFirst());
            case QUANTILE ->
                Quantiles.of(
                        allocator,
                        (ListColumn) states.getFirst(),
                        aggregate.arguments().getFirst());
            case APPROXIMATE_QUANTILE, APPROXIMATE_QUANTILES ->
                QuantileStates.finish(allocator, aggregate, states.getFirst());
            case APPROXIMATE_COUNT_DISTINCT -> DistinctStates.finish(allocator, states.getFirst());
            case APPROXIMATE_TOP_K ->
                Frequencies.finish(
                        allocator, states, aggregate.arguments().getFirst().intValue());
            case VALUE_COUNTS -> Frequencies.finish(allocator, states, Integer.MAX_VALUE);
            case MISSING_PERCENTAGE, ZERO_PERCENTAGE -> {
                LongColumn found = (LongColumn) states.getFirst();
                LongColumn all = (LongColumn) states.getLast();
                yield doubles(allocator, all, group -> found.get(group) / (double) all.get(group) * 100);
            }
            case SUM -> SumStates.finish(states.getFirst(), aggregate.toString());
            case COUNT, MIN, MAX, FIRST, LAST, ANY, ALL, LIST, SET ->
                states.getFirst().retain();
        };
    }

    /// Elements of each list that are not null.
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

    /// How many values are counted for each group.
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

    /// A number for each group, null where its count is zero.
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

    /// What an aggregate is over no rows at all, where not even the column's type may be known.
    static Column ofNothing(Allocator allocator, Aggregate aggregate, DataType type) {
        return switch (aggregate.function()) {
            case COUNT, COUNT_DISTINCT, APPROXIMATE_COUNT_DISTINCT -> Columns.ofLongs(allocator, 0);
            case DEFINED -> DefinedStates.ofNothing(allocator, aggregate);
            default -> Columns.nulls(allocator, type, 1);
        };
    }
}
