package dev.millrace.parquet;

/// How INT96 timestamps are read, which Impala and old versions of Spark wrote. They have nanosecond precision, but
/// include days outside of the range of a nanosecond column: before 1677 or after 2262.
public enum Int96Timestamps {
    /// Read as nanoseconds; a timestamp outside of their range is an error.
    NANOSECONDS,
    /// Read as microseconds, whose range includes every day of the calendar. Nanoseconds are truncated.
    MICROSECONDS,
    /// Read as nanoseconds; a timestamp outside of their range is null.
    NULL_BEYOND_NANOSECONDS
}
