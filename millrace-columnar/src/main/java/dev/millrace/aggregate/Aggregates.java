package dev.millrace.aggregate;

import dev.millrace.error.MillraceException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Creates aggregates: `trips.groupBy("zone").aggregate(count(), mean("fare").as("fare"))`.
///
/// Nulls are ignored, except by `count`, `first`, `last`, `list`, `set` and `valueCounts`. Without any values the
/// result is null, but 0 for counts. NaN is greater than all other numbers for `min` and `max`, and makes `sum`,
/// `mean`, `std` and `variance` NaN.
public final class Aggregates {
    /// The minimum number of values that [#approximateTopK] counts.
    public static final int TOP_K_CAPACITY = 8192;

    private Aggregates() {}

    /// The number of rows, `count()`, as int64.
    public static Aggregate count() {
        return new Aggregate(AggregateFunction.COUNT, null, "count()", List.of(), null);
    }

    /// The number of values that are not null, as int64. NaN is not null.
    public static Aggregate count(String column) {
        return of(AggregateFunction.COUNT, column);
    }

    /// The number of rows for which a boolean column is true, as int64.
    public static Aggregate countIf(String column) {
        return of(AggregateFunction.COUNT_IF, column);
    }

    /// The sum: of integers as int64, with an error that names the column if it does not fit; of floats as float64; of
    /// decimals as an exact decimal of 38 digits.
    public static Aggregate sum(String column) {
        return of(AggregateFunction.SUM, column);
    }

    /// The arithmetic mean, as float64.
    public static Aggregate mean(String column) {
        return of(AggregateFunction.MEAN, column);
    }

    /// The least of numbers, texts, times or booleans, in the order of `sort`.
    public static Aggregate min(String column) {
        return of(AggregateFunction.MIN, column);
    }

    /// The greatest of numbers, texts, times or booleans, in the order of `sort`.
    public static Aggregate max(String column) {
        return of(AggregateFunction.MAX, column);
    }

    /// The sample standard deviation (one degree of freedom less), as float64; NaN for one value.
    public static Aggregate std(String column) {
        return of(AggregateFunction.STD, column);
    }

    /// The sample variance, as float64; NaN for one value.
    public static Aggregate variance(String column) {
        return of(AggregateFunction.VARIANCE, column);
    }

    /// The standard deviation with the count minus `degrees` as divisor: 0 is that of a population. NaN if the divisor
    /// is not positive.
    public static Aggregate std(String column, int degrees) {
        return degrees(AggregateFunction.STD, column, degrees);
    }

    /// The variance with the count minus `degrees` as divisor: 0 is that of a population.
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

    /// All values as a list, including nulls, in the order of the dataset's rows. The list of a group, or of all rows,
    /// is one value and must fit into memory.
    public static Aggregate list(String column) {
        return of(AggregateFunction.LIST, column);
    }

    /// The distinct values as a list, including null, in order of first occurrence. The list must fit into memory;
    /// `dataset.distinct(column)` returns the values as rows.
    public static Aggregate set(String column) {
        return of(AggregateFunction.SET, column);
    }

    /// The exact number of distinct values, without null.
    public static Aggregate countDistinct(String column) {
        return of(AggregateFunction.COUNT_DISTINCT, column);
    }

    /// The exact quantile of numbers, as float64: 0.5 is the median; between two values it is interpolated linearly.
    /// All numbers of a group must fit into memory; those of all rows, without keys, need not.
    ///
    /// @param quantile from 0 to 1
    public static Aggregate quantile(String column, double quantile) {
        return of(AggregateFunction.QUANTILE, column, requireQuantile("quantile", column, quantile));
    }

    /// An approximate quantile of numbers, as float64, in bounded memory for any group: a KLL sketch of about 20 KB.
    /// Its rank differs from the requested one by at most 0.25 % of the number of values, in 99 of 100 cases. It is one
    /// of the values; 0 and 1 are always the least and the greatest, and for fewer than 800 values `n` it is exactly
    /// the value after the first `quantile * n` in their order. NaN is ignored, like null.
    ///
    /// @param quantile from 0 to 1
    public static Aggregate approximateQuantile(String column, double quantile) {
        return of(
                AggregateFunction.APPROXIMATE_QUANTILE,
                column,
                requireQuantile("approximateQuantile", column, quantile));
    }

    /// Several quantiles from one sketch, as a list in the given order; see [#approximateQuantile].
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

    /// The approximate number of distinct values, without null, in at most 16 KB per group: a HyperLogLog sketch with a
    /// standard error of 0.8 %, so that two of three results are closer than that and 997 of 1,000 closer than 2.5 %.
    /// Up to a thousand distinct values it is almost always exact.
    public static Aggregate approximateCountDistinct(String column) {
        return of(AggregateFunction.APPROXIMATE_COUNT_DISTINCT, column);
    }

    /// The approximately `count` most frequent values, without null, as a list of structs of `value` and `count`, the
    /// most frequent first, in bounded memory: each task passes on its `c` most frequent values, where `c` is
    /// [#TOP_K_CAPACITY], or 8 times `count` if that is more. For `n` values no count is too high and none is too low
    /// by more than `n / c`, and no value is missing whose count exceeds those of the returned ones by more than that.
    /// With up to `c` distinct values the result is exact.
    public static Aggregate approximateTopK(String column, int count) {
        if (count < 1) {
            throw MillraceException.user(
                    "approximateTopK(" + column + "): ask for 1 value or more, not " + count + ".");
        }
        return of(AggregateFunction.APPROXIMATE_TOP_K, column, (double) count);
    }

    /// Every distinct value, including null, with its exact count, as a list of structs of `value` and `count`, the
    /// most frequent first; values with equal counts are in order of first occurrence. The list must fit into memory;
    /// `dataset.valueCounts(column)` returns them as rows.
    public static Aggregate valueCounts(String column) {
        return of(AggregateFunction.VALUE_COUNTS, column);
    }

    /// The percentage of rows that are null or NaN, as float64.
    public static Aggregate missingPercentage(String column) {
        return of(AggregateFunction.MISSING_PERCENTAGE, column);
    }

    /// The percentage of numbers that are zero, as float64. Null is not a number, NaN is one.
    public static Aggregate zeroPercentage(String column) {
        return of(AggregateFunction.ZERO_PERCENTAGE, column);
    }

    /// A user-defined aggregate, `name(column)`. Slower than the others: its values are Java objects, unless it is a
    /// [ColumnAggregate], and its states are serialised.
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
