package dev.millrace.internal.parquet.encode;

import org.jspecify.annotations.Nullable;

/// The minimum and maximum of a page or a column chunk, in the order of the column's logical type. Bounds are in plain
/// encoding, without lengths. Reusable after [#clear].
public sealed interface ValueRange permits LongRange, FloatRange, BytesRange {
    /// True if there was no value that has an order.
    boolean isEmpty();

    /// A lower bound.
    byte[] min();

    /// An upper bound, or null if there is none.
    byte @Nullable [] max();

    boolean isMinExact();

    boolean isMaxExact();

    /// Merges another range of the same column.
    void add(ValueRange other);

    void clear();

    /// Compares two bounds.
    int compare(byte[] a, byte[] b);
}
