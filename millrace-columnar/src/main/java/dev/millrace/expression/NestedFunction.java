package dev.millrace.expression;

/// Functions of lists and maps; see [NestedMethods] for what they do. `CONTAINS` is also the one of strings.
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
