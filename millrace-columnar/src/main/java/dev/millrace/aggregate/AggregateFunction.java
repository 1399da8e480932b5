package dev.millrace.aggregate;

import java.util.Locale;

/// The aggregate functions. Nulls are ignored by all but `COUNT` without a column, `FIRST`, `LAST`, `LIST`, `SET` and
/// `VALUE_COUNTS`; `MISSING_PERCENTAGE` counts them.
public enum AggregateFunction {
    COUNT,
    /// The number of values that are true.
    COUNT_IF,
    SUM,
    MEAN,
    MIN,
    MAX,
    STD,
    VARIANCE,
    FIRST,
    LAST,
    ANY,
    ALL,
    LIST,
    SET,
    COUNT_DISTINCT,
    QUANTILE,
    APPROXIMATE_COUNT_DISTINCT,
    APPROXIMATE_QUANTILE,
    /// Several quantiles, as a list.
    APPROXIMATE_QUANTILES,
    APPROXIMATE_TOP_K,
    VALUE_COUNTS,
    MISSING_PERCENTAGE,
    ZERO_PERCENTAGE,
    /// A user-defined aggregate, which receives nulls too.
    DEFINED;

    /// The name in calls: `sum`, `countDistinct`.
    public String verb() {
        StringBuilder verb = new StringBuilder();
        for (String word : name().toLowerCase(Locale.ROOT).split("_", -1)) {
            verb.append(verb.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return verb.toString();
    }
}
