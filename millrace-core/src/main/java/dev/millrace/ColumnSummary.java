package dev.millrace;

import java.util.List;

/// What [Dataset#summary] says of one column; null where it does not apply to the column's type, or where there
/// are no values.
///
/// @param count rows, nulls too
/// @param missing how many of 100 rows have null or NaN
/// @param zero how many of 100 numbers are zero
/// @param std of a sample
/// @param min the least value as text, of numbers, booleans and times
/// @param median about it: see [dev.millrace.aggregate.Aggregates#approximateQuantile]
/// @param max the greatest value as text
/// @param top about the ten most frequent texts or booleans: see
///     [dev.millrace.aggregate.Aggregates#approximateTopK]
public record ColumnSummary(
        String column,
        String type,
        long count,
        Double missing,
        Double zero,
        Double mean,
        Double std,
        String min,
        Double median,
        String max,
        List<Frequency> top) {
    /// A value and how often it comes.
    public record Frequency(String value, long count) {}
}
