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
    LIST_DISTINCT,
    JOIN
}
