package dev.millrace.aggregate;

import java.util.Locale;

/// The aggregates that there are. Null values are left out by all but `COUNT`, `FIRST`, `LAST`, `LIST`, `SET` and
/// `VALUE_COUNTS`; `MISSING_PERCENTAGE` is about them.
public enum AggregateFunction {
    COUNT,
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
    /// Several of them, as a list.
    APPROXIMATE_QUANTILES,
    APPROXIMATE_TOP_K,
    VALUE_COUNTS,
    MISSING_PERCENTAGE,
    ZERO_PERCENTAGE,
    /// One of a user's own, which sees nulls.
    DEFINED;

    /// As it is written: `sum`, `countDistinct`.
    public String verb() {
        StringBuilder verb = new StringBuilder();
        for (String word : name().toLowerCase(Locale.ROOT).split("_", -1)) {
            verb.append(verb.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return verb.toString();
    }
}
