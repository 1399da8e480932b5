package dev.millrace.source;

import java.util.OptionalLong;

/// What a source knows of one of its columns without reading data: bounds and estimates, by which queries choose the
/// order of joins. Results never depend on them.
///
/// @param min,max no value lies outside of them, though neither needs to occur; as rows give such values (numbers,
///     texts, dates and times of `java.time`), null where the bound is not known
/// @param nulls how many values are null, where that is known
/// @param distinct about how many different values there are at most, nulls left aside
public record ColumnStatistics(Object min, Object max, OptionalLong nulls, OptionalLong distinct) {
    public static final ColumnStatistics UNKNOWN =
            new ColumnStatistics(null, null, OptionalLong.empty(), OptionalLong.empty());
}
