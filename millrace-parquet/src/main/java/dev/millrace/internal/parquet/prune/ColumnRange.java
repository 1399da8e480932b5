package dev.millrace.internal.parquet.prune;

import org.jspecify.annotations.Nullable;

/// What is known about some values of a column: their bounds, and whether some or all are null. The bounds are
/// converted by [ComparableBounds].
///
/// @param min,max null if the bound is unknown
/// @param mayHaveNulls false only if no value is null
/// @param allNull true only if every value is null
public record ColumnRange(
        @Nullable Comparable<?> min, @Nullable Comparable<?> max, boolean mayHaveNulls, boolean allNull) {
    public static final ColumnRange UNKNOWN = new ColumnRange(null, null, true, false);
    public static final ColumnRange ALL_NULL = new ColumnRange(null, null, true, true);
}
