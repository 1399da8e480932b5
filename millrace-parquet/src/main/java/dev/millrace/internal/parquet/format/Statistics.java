package dev.millrace.internal.parquet.format;

import java.io.Serializable;

/// The range of a column chunk's or page's values, in plain encoding. A bound is null where it is not known; it need
/// not
/// occur itself (strings may be cut).
///
/// @param nulls -1 where it is not known
/// @param ordered whether min and max follow the logical type's order; the fields of old files compare bytes as signed
public record Statistics(byte[] min, byte[] max, long nulls, boolean ordered) implements Serializable {
    static Statistics read(ThriftReader in) {
        byte[] oldMin = null;
        byte[] oldMax = null;
        byte[] min = null;
        byte[] max = null;
        long nulls = -1;
        in.beginStruct();
        while (in.nextField()) {
            switch (in.fieldId()) {
                case 1 -> oldMax = in.binary();
                case 2 -> oldMin = in.binary();
                case 3 -> nulls = in.i64();
                case 5 -> max = in.binary();
                case 6 -> min = in.binary();
                default -> in.skip();
            }
        }
        boolean ordered = min != null || max != null;
        return new Statistics(ordered ? min : oldMin, ordered ? max : oldMax, nulls, ordered);
    }
}
