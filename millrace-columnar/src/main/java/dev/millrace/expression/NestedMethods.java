package dev.millrace.expression;

import java.util.Arrays;
import java.util.function.UnaryOperator;
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

    /// The elements sorted descending, nulls last, NaN before them.
    default Expression listSortDescending() {
        return Call.of(NestedFunction.LIST_SORT_DESCENDING, (Expression) this);
    }

    /// The elements from the last to the first.
    default Expression listReverse() {
        return Call.of(NestedFunction.LIST_REVERSE, (Expression) this);
    }

    /// The elements of the lists in a list of lists, one after the other; a null list among them has none.
    default Expression flatten() {
        return Call.of(NestedFunction.FLATTEN, (Expression) this);
    }

    /// The elements of this list, then those of another.
    default Expression listConcat(@Nullable Object other) {
        return Call.of(NestedFunction.LIST_CONCAT, (Expression) this, other);
    }

    /// The distinct elements of either list that are not null, in order of first occurrence.
    default Expression listUnion(@Nullable Object other) {
        return Call.of(NestedFunction.LIST_UNION, (Expression) this, other);
    }

    /// The distinct elements that are in both lists and not null, in the order of this one.
    default Expression listIntersect(@Nullable Object other) {
        return Call.of(NestedFunction.LIST_INTERSECT, (Expression) this, other);
    }

    /// The distinct elements that are not null and not in the other list, in the order of this one.
    default Expression listExcept(@Nullable Object other) {
        return Call.of(NestedFunction.LIST_EXCEPT, (Expression) this, other);
    }

    /// Whether this list has one of the elements of another that are not null.
    default Expression hasAny(@Nullable Object other) {
        return Call.of(NestedFunction.HAS_ANY, (Expression) this, other);
    }

    /// Whether this list has all elements of another that are not null.
    default Expression hasAll(@Nullable Object other) {
        return Call.of(NestedFunction.HAS_ALL, (Expression) this, other);
    }

    /// The list of the results for each element: `col("prices").listMap(price -> price.times(col("rate")))`. The
    /// function is called once, with the element as an expression, beside which it may use columns of the row.
    default Expression listMap(UnaryOperator<Expression> function) {
        return ListLambda.of(ListLambda.Kind.MAP, (Expression) this, function);
    }

    /// The elements for which a condition is true: `col("prices").listFilter(price -> price.gt(0))`.
    default Expression listFilter(UnaryOperator<Expression> condition) {
        return ListLambda.of(ListLambda.Kind.FILTER, (Expression) this, condition);
    }

    /// The keys of a map, as a list.
    default Expression mapKeys() {
        return Call.of(NestedFunction.MAP_KEYS, (Expression) this);
    }

    /// The values of a map, as a list in the order of [#mapKeys].
    default Expression mapValues() {
        return Call.of(NestedFunction.MAP_VALUES, (Expression) this);
    }

    /// The entries of a map, as a list of structs of `key` and `value`.
    default Expression mapEntries() {
        return Call.of(NestedFunction.MAP_ENTRIES, (Expression) this);
    }

    /// The elements of a tensor as a list, row by row if it has several dimensions; a list stays as it is.
    default Expression toList() {
        return Call.of(NestedFunction.TO_LIST, (Expression) this);
    }

    /// The tensor of this shape that has the numbers of a list as its elements, row by row. Another number of elements,
    /// or a null among them, is an error.
    default Expression toTensor(int... shape) {
        return Call.of(
                NestedFunction.TO_TENSOR,
                (Expression) this,
                Arrays.stream(shape).boxed().toList());
    }

    /// The field of a struct at an index (0-based; -1 is the last).
    default Expression fieldAt(int index) {
        return Call.of(NestedFunction.FIELD_AT, (Expression) this, index);
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
