package dev.millrace.internal.expression;

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
import dev.millrace.internal.value.JavaValues;
import dev.millrace.type.DataType;

/// Converts values to the form in which columns store them: times as counts, integers unchanged.
final class StoredValues {
    private StoredValues() {}

    /// The stored number of a Java value: Integer or Long for integers and times, else Float or Double.
    static Number of(DataType type, Object value) {
        return switch (type) {
            case DataType.Float real when real.bits() == 64 -> JavaValues.toDouble(type, value);
            case DataType.Float _ -> JavaValues.toFloat(type, value);
            // Integers and times, by their width.
            default ->
                switch (FixedOutput.width(type)) {
                    case 8 -> JavaValues.toLong(type, value);
                    case 4 -> JavaValues.toInt(type, value);
                    case 2 -> JavaValues.toShort(type, value);
                    default -> JavaValues.toByte(type, value);
                };
        };
    }

    static Number at(FixedWidthColumn column, long row) {
        return switch (column) {
            case ByteColumn bytes -> bytes.toInt(row);
            case ShortColumn shorts -> shorts.toInt(row);
            case IntColumn ints -> ints.get(row);
            case LongColumn longs -> longs.get(row);
            case HalfColumn halves -> halves.get(row);
            case FloatColumn floats -> floats.get(row);
            case DoubleColumn doubles -> doubles.get(row);
            case DecimalColumn decimals -> decimals.get(row);
            case TensorColumn _ -> throw new IllegalArgumentException("a tensor is no number");
        };
    }
}
