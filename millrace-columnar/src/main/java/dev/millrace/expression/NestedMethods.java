package dev.millrace.expression;

import org.jspecify.annotations.Nullable;

/// Functions of lists, structs and maps.
sealed interface NestedMethods permits Expression {

    /// The elements of a list or the entries of a map, as int32.
    default Expression size() {
        return Call.of(NestedFunction.SIZE, (Expression) this);
    }

    /// The element at a position (0-based; -1 is the last), or the value under a key of a map; null where there is
    /// none.
    default Expression get(@Nullable Object positionOrKey) {
        return Call.of(NestedFunction.GET, (Expression) this, positionOrKey);
    }

    /// Whether a string has `part` in it, or a list an element that equals it.
    default Expression contains(@Nullable Object part) {
        return Call.of(NestedFunction.CONTAINS, (Expression) this, part);
    }

    /// The elements from `begin` to before `end`, both cut to the list's length.
    default Expression slice(@Nullable Object begin, @Nullable Object end) {
        return Call.of(NestedFunction.SLICE, (Expression) this, begin, end);
    }

    /// The sum of the elements, nulls ignored, as int64 or float64; null for a list without any.
    default Expression listSum() {
        return Call.of(NestedFunction.LIST_SUM, (Expression) this);
    }

    /// The least element, nulls ignored.
    default Expression listMin() {
        return Call.of(NestedFunction.LIST_MIN, (Expression) this);
    }

    /// The greatest element, nulls ignored.
    default Expression listMax() {
        return Call.of(NestedFunction.LIST_MAX, (Expression) this);
    }

    /// The mean of the elements, nulls ignored, as float64.
    default Expression listMean() {
        return Call.of(NestedFunction.LIST_MEAN, (Expression) this);
    }

    /// Ascending, nulls last, NaN before them.
    default Expression listSort() {
        return Call.of(NestedFunction.LIST_SORT, (Expression) this);
    }

    /// Each element once, in the order of first appearance.
    default Expression listDistinct() {
        return Call.of(NestedFunction.LIST_DISTINCT, (Expression) this);
    }

    /// The elements of a list of strings, nulls left out, with `separator` between them.
    default Expression join(String separator) {
        return Call.of(NestedFunction.JOIN, (Expression) this, separator);
    }

    /// A field of a struct.
    default Expression field(String name) {
        return new FieldAccess((Expression) this, name);
    }
}
