package dev.millrace.source;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What a source knows about one of its columns without reading data: bounds and estimates, which queries use for join
/// ordering. Results never depend on them.
///
/// @param min,max no value is outside them, though neither needs to occur; in the form in which rows return such values
///     (numbers, texts, dates and times of `java.time`), null if the bound is not known
/// @param nulls the number of nulls, if known
/// @param distinct approximately the maximum number of distinct values, without null
public record ColumnStatistics(
        @Nullable Object min, @Nullable Object max, OptionalLong nulls, OptionalLong distinct) {
    public static final ColumnStatistics UNKNOWN =
            new ColumnStatistics(null, null, OptionalLong.empty(), OptionalLong.empty());
}
