package dev.millrace.parquet;

/// What becomes of the timestamps in 96 bits that Impala and old versions of Spark wrote. They hold nanoseconds, and
/// days that a column of nanoseconds cannot hold: before 1677 or after 2262.
public enum Int96Timestamps {
    /// Columns of nanoseconds; a timestamp beyond them is an error.
    NANOSECONDS,
    /// Columns of microseconds, which hold each day of the calendar. Nanoseconds are cut off.
    MICROSECONDS,
    /// Columns of nanoseconds; a timestamp beyond them is null.
    NULL_BEYOND_NANOSECONDS
}
