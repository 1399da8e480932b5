package dev.millrace.internal.arrow;

import static dev.millrace.column.Column.UNKNOWN_NULLS;

import dev.millrace.column.ByteColumn;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// The column class of each fixed-width type.
final class FixedColumns {
    private FixedColumns() {}

    static FixedWidthColumn of(DataType type, long length, Buffer data, @Nullable Buffer validity) {
        return switch (type) {
            case DataType.Decimal decimal -> new DecimalColumn(decimal, length, data, validity, 0, UNKNOWN_NULLS);
            case DataType.Tensor tensor -> new TensorColumn(tensor, length, data, validity, 0, UNKNOWN_NULLS);
            case DataType.Float(int bits)
            when bits == 16 -> new HalfColumn(type, length, data, validity, 0, UNKNOWN_NULLS);
            case DataType.Float(int bits)
            when bits == 32 -> new FloatColumn(type, length, data, validity, 0, UNKNOWN_NULLS);
            case DataType.Float _ -> new DoubleColumn(type, length, data, validity, 0, UNKNOWN_NULLS);
            // Integers and times, by their width.
            default ->
                switch (WireLayouts.width(type)) {
                    case 1 -> new ByteColumn(type, length, data, validity, 0, UNKNOWN_NULLS);
                    case 2 -> new ShortColumn(type, length, data, validity, 0, UNKNOWN_NULLS);
                    case 4 -> new IntColumn(type, length, data, validity, 0, UNKNOWN_NULLS);
                    default -> new LongColumn(type, length, data, validity, 0, UNKNOWN_NULLS);
                };
        };
    }
}
