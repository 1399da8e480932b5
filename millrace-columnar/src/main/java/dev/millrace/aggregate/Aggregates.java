package dev.millrace.aggregate;

import dev.millrace.error.MillraceException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Makes aggregates: `trips.groupBy("zone").aggregate(count(), mean("fare").as("fare"))`.
///
/// Nulls are left out, except by `count`, `first`, `last`, `list`, `set` and `valueCounts`. Of no values at all the
/// result is null, but of the counts 0. NaN is a number above all others to `min` and `max`, and makes `sum`, `mean`,
/// `std` and `variance` NaN.
public final class Aggregates {
    /// How many values [#approximateTopK] counts at least.
    public static final int TOP_K_CAPACITY = 8192;

    private Aggregates() {}

    /// Rows, `count()`, as int64.
    public static Aggregate count() {
        return new Aggregate(AggregateFunction.COUNT, null, "count()", List.of(), null);
    }

    /// Integers make an int64, and a sum beyond it is an error that names the column; floats make a float64, decimals
    /// an exact decimal of 38 digits.
    public static Aggregate sum(String column) {
        return of(AggregateFunction.SUM, column);
    }

    /// The arithmetic mean, as float64.
    public static Aggregate mean(String column) {
        return of(AggregateFunction.MEAN, column);
    }

    /// The least value of numbers, texts, times or booleans, in the order of `sort`.
    public static Aggregate min(String column) {
        return of(AggregateFunction.MIN, column);
    }

    /// The greatest value of numbers, texts, times or booleans, in the order of `sort`.
    public static Aggregate max(String column) {
        return of(AggregateFunction.MAX, column);
    }

    /// The standard deviation of a sample (one degree of freedom less), as float64; NaN of one value.
    public static Aggregate std(String column) {
        return of(AggregateFunction.STD, column);
    }

    /// The variance of a sample, as float64; NaN of one value.
    public static Aggregate variance(String column) {
        return of(AggregateFunction.VARIANCE, column);
    }

    /// The same with a divisor of your choice, the count less `degrees`: 0 is that of a population. NaN where the
    /// divisor is not above zero.
    public static Aggregate std(String column, int degrees) {
        return degrees(AggregateFunction.STD, column, degrees);
    }

    /// The variance with the count less `degrees` as divisor: 0 is that of a population.
    public static Aggregate variance(String column, int degrees) {
        return degrees(AggregateFunction.VARIANCE, column, degrees);
    }

    /// The value of the group's first row, null if it is null. In the order of the dataset's rows.
    public static Aggregate first(String column) {
        return of(AggregateFunction.FIRST, column);
    }

    /// The value of the group's last row, null if it is null. In the order of the dataset's rows.
    public static Aggregate last(String column) {
        return of(AggregateFunction.LAST, column);
    }

    /// Whether one of the booleans is true.
    public static Aggregate any(String column) {
        return of(AggregateFunction.ANY, column);
    }

    /// Whether all of the booleans are true.
    public static Aggregate all(String column) {
        return of(AggregateFunction.ALL, column);
    }

    /// All values as a list, nulls too, in the order of the dataset's rows. A group's list, or that of all rows, is one
    /// value and must fit into memory.
    public static Aggregate list(String column) {
        return of(AggregateFunction.LIST, column);
    }

    /// The different values as a list, each once, null too, in the order in which they come. The list must fit into
    /// memory; `dataset.distinct(column)` gives the values as rows.
    public static Aggregate set(String column) {
        return of(AggregateFunction.SET, column);
    }

    /// How many different values there are, exactly, without null.
    public static Aggregate countDistinct(String column) {
        return of(AggregateFunction.COUNT_DISTINCT, column);
    }

    /// The exact quantile of numbers, as float64: 0.5 is the median, and half way between two values is their mean. All
    /// numbers of a group must fit into memory; those of all rows, without keys, need not.
    ///
    /// @param quantile from 0 to 1
    public static Aggregate quantile(String column, double quantile) {
        return of(AggregateFunction.QUANTILE, column, requireQuantile("quantile", column, quantile));
    }

    /// A value near the quantile of numbers, as float64, in bounded memory whatever the group: a KLL
    /// sketch of about 20 KB. Its place in the order of all values differs from the
    /// asked one by at most 0.25 % of their number, in 99 of 100 cases. It is one of the values; 0 and 1 are always the
    /// least and the greatest, and of fewer than 800 values `n` it is exactly the one after the first `quantile * n` in
    /// their order. NaN is left out, as null is.
    ///
    /// @param quantile from 0 to 1
    public static Aggregate approximateQuantile(String column, double quantile) {
        return of(
                AggregateFunction.APPROXIMATE_QUANTILE,
                column,
                requireQuantile("approximateQuantile", column, quantile));
    }

    /// Several quantiles of one sketch, as a list in the order given; see [#approximateQuantile].
    public static Aggregate approximateQuantiles(String column, double... quantiles) {
        if (quantiles.length == 0) {
            throw MillraceException.user("approximateQuantiles(" + column + "): give at least one quantile.");
        }
        for (double quantile : quantiles) {
            requireQuantile("approximateQuantiles", column, quantile);
        }
        return of(
                AggregateFunction.APPROXIMATE_QUANTILES,
                column,
                Arrays.stream(quantiles).boxed().toArray(Double[]::new));
    }

    /// About how many different values there are, without null, in at most 16 KB for each group: a HyperLogLog sketch
    /// with a standard error of 0.8 %, so that two of three results are nearer than that and 997 of 1,000 nearer than
    /// 2.5 %. Up to a thousand different values it is almost always exact.
    public static Aggregate approximateCountDistinct(String column) {
        return of(AggregateFunction.APPROXIMATE_COUNT_DISTINCT, column);
    }

    /// About the `count` most frequent values, without null, as a list of structs of `value` and `count`, the most
    /// frequent first, in bounded memory: each task hands on its `c` most frequent ones, which is [#TOP_K_CAPACITY], or
    /// 8 times `count` if that is more. Of `n` values no count is too high, none is too low by more than `n / c`, and
    /// none is missing that comes so much more often than those that are there. Up to `c` different values all is
    /// exact.
    public static Aggregate approximateTopK(String column, int count) {
        if (count < 1) {
            throw MillraceException.user(
                    "approximateTopK(" + column + "): ask for 1 value or more, not " + count + ".");
        }
        return of(AggregateFunction.APPROXIMATE_TOP_K, column, (double) count);
    }

    /// Every different value, null too, with its exact count, as a list of structs of `value` and `count`, the most
    /// frequent first and those of one count as they come. The list must fit into memory;
    /// `dataset.valueCounts(column)` gives them as rows.
    public static Aggregate valueCounts(String column) {
        return of(AggregateFunction.VALUE_COUNTS, column);
    }

    /// How many of 100 rows have null or NaN here, as float64.
    public static Aggregate missingPercentage(String column) {
        return of(AggregateFunction.MISSING_PERCENTAGE, column);
    }

    /// How many of 100 numbers are zero, as float64. Null is no number, NaN is one.
    public static Aggregate zeroPercentage(String column) {
        return of(AggregateFunction.ZERO_PERCENTAGE, column);
    }

    /// An aggregate of your own, `name(column)`. Slower than the others: its values are Java objects, and what it knows
    /// of a group travels as bytes.
    public static Aggregate define(String name, String column, AggregateDefinition<?> definition) {
        Objects.requireNonNull(column);
        Objects.requireNonNull(definition);
        return new Aggregate(AggregateFunction.DEFINED, column, name + "(" + column + ")", List.of(), definition);
    }

    private static Aggregate degrees(AggregateFunction function, String column, int degrees) {
        if (degrees < 0) {
            throw MillraceException.user(function.verb() + "(" + column
                    + "): the degrees of freedom that are left out must be 0 or more, not " + degrees + ".");
        }
        return of(function, column, (double) degrees);
    }

    private static double requireQuantile(String verb, String column, double quantile) {
        if (!(quantile >= 0 && quantile <= 1)) {
            throw MillraceException.user(
                    verb + "(" + column + "): the quantile must be between 0 and 1, not " + quantile + ".");
        }
        return quantile;
    }

    private static Aggregate of(AggregateFunction function, String column, Double... arguments) {
        Objects.requireNonNull(column);
        return new Aggregate(function, column, function.verb() + "(" + column + ")", List.of(arguments), null);
    }
}
