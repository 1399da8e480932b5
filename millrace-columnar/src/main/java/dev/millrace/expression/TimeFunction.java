package dev.millrace.expression;

/// Functions of dates and times; see [TimeMethods] for their meaning.
public enum TimeFunction implements Function {
    YEAR,
    QUARTER,
    MONTH,
    WEEK,
    DAY,
    DAY_OF_WEEK,
    DAY_OF_YEAR,
    HOUR,
    MINUTE,
    SECOND,
    EPOCH_SECONDS,
    EPOCH_MILLIS,
    TRUNCATE,
    PLUS,
    DAYS_BETWEEN,
    PARSE_DATE,
    PARSE_TIMESTAMP,
    FORMAT
}
