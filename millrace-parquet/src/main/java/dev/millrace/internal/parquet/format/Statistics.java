package dev.millrace.internal.parquet.format;

import java.io.Serializable;

/// The range of a column chunk's or page's values, in plain encoding. A bound is null where it is not known; it need
/// not
/// occur itself (strings may be cut).
///
/// @param nulls -1 where it is not known
/// @param ordered whether min and max follow the logical type's order; the fields of old files compare bytes as signed
public record Statistics(byte[] min, byte[] max, long nulls, boolean ordered) implements Serializable {
    Statistics withoutBounds() {
        return new Statistics(null, null, nulls, ordered);
    }

    static Statistics read(ThriftReader in) {
        ThriftFields fields = new ThriftFields(in, 7);
        byte[] max = fields.binary(5);
        byte[] min = fields.binary(6);
        long nulls = fields.i64(3, -1);
        boolean ordered = min != null || max != null;
        return ordered
                ? new Statistics(min, max, nulls, true)
                : new Statistics(fields.binary(2), fields.binary(1), nulls, false);
    }
}
