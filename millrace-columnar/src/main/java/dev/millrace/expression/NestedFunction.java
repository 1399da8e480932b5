package dev.millrace.expression;

/// Functions of lists and maps; see [NestedMethods] for their meaning. `CONTAINS` also applies to strings.
public enum NestedFunction implements Function {
    SIZE,
    GET,
    CONTAINS,
    SLICE,
    LIST_SUM,
    LIST_MIN,
    LIST_MAX,
    LIST_MEAN,
    LIST_SORT,
    LIST_SORT_DESCENDING,
    LIST_REVERSE,
    FLATTEN,
    LIST_CONCAT,
    LIST_UNION,
    LIST_INTERSECT,
    LIST_EXCEPT,
    HAS_ANY,
    HAS_ALL,
    MAP_KEYS,
    MAP_VALUES,
    MAP_ENTRIES,
    FIELD_AT,
    TO_LIST,
    TO_TENSOR,
    LIST_DISTINCT,
    JOIN
}
