package dev.millrace.internal.parquet.format;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// The statistics of a column chunk's or page's values, in plain encoding. A bound is null if it is unknown; it need
/// not occur as a value (strings may be truncated).
///
/// @param nulls -1 if unknown
/// @param distinct the number of distinct values, -1 if unknown
/// @param ordered whether min and max have the logical type's order; the deprecated fields of old files compare bytes
///     as signed
public record ValueStatistics(byte @Nullable [] min, byte @Nullable [] max, long nulls, long distinct, boolean ordered)
        implements Serializable {
    /// Statistics without a distinct count.
    public ValueStatistics(byte @Nullable [] min, byte @Nullable [] max, long nulls, boolean ordered) {
        this(min, max, nulls, -1, ordered);
    }

    ValueStatistics withoutBounds() {
        return new ValueStatistics(null, null, nulls, distinct, ordered);
    }

    static ValueStatistics read(ThriftReader in) {
        ThriftFields fields = new ThriftFields(in, 7);
        byte[] max = fields.binary(5);
        byte[] min = fields.binary(6);
        long nulls = fields.i64(3, -1);
        long distinct = fields.i64(4, -1);
        boolean ordered = min != null || max != null;
        return ordered
                ? new ValueStatistics(min, max, nulls, distinct, true)
                : new ValueStatistics(fields.binary(2), fields.binary(1), nulls, distinct, false);
    }
}
