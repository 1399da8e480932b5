package dev.millrace.aggregate;

import java.util.Locale;

/// The aggregates that there are. Null values are left out by all but `COUNT`, `FIRST`, `LAST`, `LIST` and `SET`.
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
    /// One of a user's own, which sees nulls.
    DEFINED;

    /// As it is written: `sum`.
    public String verb() {
        return this == COUNT_DISTINCT ? "countDistinct" : name().toLowerCase(Locale.ROOT);
    }
}
