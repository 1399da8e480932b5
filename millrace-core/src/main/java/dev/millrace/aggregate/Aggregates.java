package dev.millrace.aggregate;

import dev.millrace.error.MillraceException;
import java.util.Objects;

/// Makes aggregates: `trips.groupBy("zone").aggregate(count(), mean("fare").as("fare"))`.
///
/// Nulls are left out, except by `count`, `first`, `last`, `list` and `set`. Of no values at all the result is null,
/// but of
/// the counts 0.
/// NaN is a number above all others to `min` and `max`, and makes `sum`, `mean`, `std` and `variance` NaN.
public final class Aggregates {
    private Aggregates() {}

    /// Rows, `count()`, as int64.
    public static Aggregate count() {
        return new Aggregate(AggregateFunction.COUNT, null, "count()", 0, null);
    }

    /// Integers make an int64, and a sum beyond it is an error that names the column; floats make a float64, decimals
    /// an
    /// exact decimal of 38 digits.
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

    /// All values as a list, nulls too, in the order of the dataset's rows. All of a group must fit into memory.
    public static Aggregate list(String column) {
        return of(AggregateFunction.LIST, column);
    }

    /// The different values as a list, each once, null too, in the order in which they come.
    public static Aggregate set(String column) {
        return of(AggregateFunction.SET, column);
    }

    /// How many different values there are, exactly, without null.
    public static Aggregate countDistinct(String column) {
        return of(AggregateFunction.COUNT_DISTINCT, column);
    }

    /// The exact quantile of numbers, as float64: 0.5 is the median, and half way between two values is their mean. All
    /// of
    /// a group must fit into memory.
    ///
    /// @param quantile from 0 to 1
    public static Aggregate quantile(String column, double quantile) {
        if (!(quantile >= 0 && quantile <= 1)) {
            throw MillraceException.user(
                    "quantile(" + column + "): the quantile must be between 0 and 1, not " + quantile + ".");
        }
        return new Aggregate(AggregateFunction.QUANTILE, column, "quantile(" + column + ")", quantile, null);
    }

    /// An aggregate of your own, `name(column)`. Slower than the others: its values are Java objects, and what it knows
    /// of a
    /// group travels as bytes.
    public static Aggregate define(String name, String column, AggregateDefinition<?> definition) {
        Objects.requireNonNull(column);
        Objects.requireNonNull(definition);
        return new Aggregate(AggregateFunction.DEFINED, column, name + "(" + column + ")", 0, definition);
    }

    private static Aggregate of(AggregateFunction function, String column) {
        Objects.requireNonNull(column);
        return new Aggregate(function, column, function.verb() + "(" + column + ")", 0, null);
    }
}
