package dev.millrace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The statistics of one column in [Dataset#summary]; null if a statistic does not apply to the column's type, or if
/// there are no values.
///
/// @param count rows, including nulls
/// @param missing the percentage of rows that are null or NaN
/// @param zero the percentage of numbers that are zero
/// @param std the sample standard deviation
/// @param min the least value as text, of numbers, booleans and times
/// @param median an approximation: see [dev.millrace.aggregate.Aggregates#approximateQuantile]
/// @param max the greatest value as text
/// @param top approximately the ten most frequent texts or booleans: see
///     [dev.millrace.aggregate.Aggregates#approximateTopK]
public record ColumnSummary(
        String column,
        String type,
        long count,
        @Nullable Double missing,
        @Nullable Double zero,
        @Nullable Double mean,
        @Nullable Double std,
        @Nullable String min,
        @Nullable Double median,
        @Nullable String max,
        @Nullable List<Frequency> top) {
    /// A value and how often it occurs.
    public record Frequency(String value, long count) {}
}
