package dev.millrace.internal.parquet.format;

import org.jspecify.annotations.Nullable;

/// The bounds of a chunk's or a page's values in plain encoding.
///
/// @param max null if there is none
public record WrittenBounds(byte[] min, boolean minExact, byte @Nullable [] max, boolean maxExact) {
    /// Writes the fields of a `ValueStatistics`.
    ///
    /// @param bounds null if there are none
    static void statistics(@Nullable WrittenBounds bounds, long nulls, ThriftWriter out) {
        out.i64(3, nulls);
        if (bounds == null) {
            return;
        }
        if (bounds.max != null) {
            out.binary(5, bounds.max);
        }
        out.binary(6, bounds.min);
        if (bounds.max != null) {
            out.bool(7, bounds.maxExact);
        }
        out.bool(8, bounds.minExact);
    }
}
