package dev.millrace.expression;

import org.jspecify.annotations.Nullable;

/// Functions of lists, structs and maps.
sealed interface NestedMethods permits Expression {

    /// The number of elements of a list or of entries of a map, as int32.
    default Expression size() {
        return Call.of(NestedFunction.SIZE, (Expression) this);
    }

    /// The element at an index (0-based; -1 is the last), or the value of a key of a map; null if there is none.
    default Expression get(@Nullable Object positionOrKey) {
        return Call.of(NestedFunction.GET, (Expression) this, positionOrKey);
    }

    /// Whether a string contains `part`, or a list an element that equals it.
    default Expression contains(@Nullable Object part) {
        return Call.of(NestedFunction.CONTAINS, (Expression) this, part);
    }

    /// The elements from `begin` to `end` (exclusive), both clamped to the list's length.
    default Expression slice(@Nullable Object begin, @Nullable Object end) {
        return Call.of(NestedFunction.SLICE, (Expression) this, begin, end);
    }

    /// The sum of the non-null elements, as int64 or float64; null if there are none.
    default Expression listSum() {
        return Call.of(NestedFunction.LIST_SUM, (Expression) this);
    }

    /// The least of the non-null elements.
    default Expression listMin() {
        return Call.of(NestedFunction.LIST_MIN, (Expression) this);
    }

    /// The greatest of the non-null elements.
    default Expression listMax() {
        return Call.of(NestedFunction.LIST_MAX, (Expression) this);
    }

    /// The mean of the non-null elements, as float64.
    default Expression listMean() {
        return Call.of(NestedFunction.LIST_MEAN, (Expression) this);
    }

    /// The elements sorted ascending, nulls last, NaN before them.
    default Expression listSort() {
        return Call.of(NestedFunction.LIST_SORT, (Expression) this);
    }

    /// The distinct elements, in order of first occurrence.
    default Expression listDistinct() {
        return Call.of(NestedFunction.LIST_DISTINCT, (Expression) this);
    }

    /// Joins the non-null elements of a list of strings with `separator`.
    default Expression join(String separator) {
        return Call.of(NestedFunction.JOIN, (Expression) this, separator);
    }

    /// A field of a struct.
    default Expression field(String name) {
        return new FieldAccess((Expression) this, name);
    }
}
