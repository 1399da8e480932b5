package dev.millrace.internal.parquet.encode;

/// The least and the greatest value of a page or of a column chunk, in the order of the column's logical type. Bounds
/// are told in plain encoding, without lengths. Reused: [#clear] begins anew.
public sealed interface ValueRange permits LongRange, FloatRange, BytesRange {
    /// True when there was no value that has a place in the order.
    boolean isEmpty();

    /// A lower bound.
    byte[] min();

    /// An upper bound, or null where none can be told.
    byte[] max();

    boolean isMinExact();

    boolean isMaxExact();

    /// Takes in the values of another range of the same column.
    void add(ValueRange other);

    void clear();

    /// Compares two bounds.
    int compare(byte[] a, byte[] b);
}
