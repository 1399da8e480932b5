package dev.millrace.internal.parquet.prune;

/// What is known of some values of a column: between which bounds they lie, and whether some or all are null. The
/// values are in the form that [ComparableBounds] gives them.
///
/// @param min,max null where the bound is not known
/// @param mayHaveNulls false only where no value is null
/// @param allNull true only where every value is null
public record ColumnRange(Comparable<?> min, Comparable<?> max, boolean mayHaveNulls, boolean allNull) {
    public static final ColumnRange UNKNOWN = new ColumnRange(null, null, true, false);
    public static final ColumnRange ALL_NULL = new ColumnRange(null, null, true, true);
}
