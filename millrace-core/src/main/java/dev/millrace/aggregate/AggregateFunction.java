package dev.millrace.aggregate;

/// The aggregates that there are. Null values are left out by all but `COUNT`, `FIRST` and `LAST`.
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
    ALL;

    /// As it is written: `sum`.
    public String verb() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
