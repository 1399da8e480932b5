package dev.millrace.internal.kernel.sort;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Numbers, times and booleans as 64 bits whose unsigned order is that of the values, in a direction.
///
/// NaN is one value above all numbers in both directions, and -0.0 is 0.0.
record NumberKey(Kind kind, boolean isDescending) {
    private static final long NAN = -2;

    enum Kind {
        BOOL,
        INT8,
        UINT8,
        INT16,
        UINT16,
        INT32,
        UINT32,
        INT64,
        UINT64,
        FLOAT16,
        FLOAT32,
        FLOAT64
    }

    /// The kind of a column; null if its values have more than 64 bits.
    static @Nullable Kind kindOf(Column column) {
        boolean unsigned = column.type() instanceof DataType.Int integer && !integer.signed();
        return switch (column) {
            case BooleanColumn _ -> Kind.BOOL;
            case ByteColumn _ -> unsigned ? Kind.UINT8 : Kind.INT8;
            case ShortColumn _ -> unsigned ? Kind.UINT16 : Kind.INT16;
            case IntColumn _ -> unsigned ? Kind.UINT32 : Kind.INT32;
            case LongColumn _ -> unsigned ? Kind.UINT64 : Kind.INT64;
            case HalfColumn _ -> Kind.FLOAT16;
            case FloatColumn _ -> Kind.FLOAT32;
            case DoubleColumn _ -> Kind.FLOAT64;
            case DictionaryColumn _,
                    FixedListColumn _,
                    DecimalColumn _,
                    TensorColumn _,
                    NullColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ -> null;
        };
    }

    static long ofLong(long value, boolean descending) {
        return value ^ (descending ? Long.MAX_VALUE : Long.MIN_VALUE);
    }

    static long ofDouble(double value, boolean descending) {
        if (Double.isNaN(value)) {
            return NAN;
        }
        // Adding 0.0 makes -0.0 positive.
        long bits = Double.doubleToRawLongBits(value + 0.0);
        long ascending = bits ^ (bits >> 63 | Long.MIN_VALUE);
        return descending ? ~ascending : ascending;
    }

    /// The key of a non-null value.
    long of(Column column, long row) {
        return switch (kind) {
            case BOOL -> ofLong(((BooleanColumn) column).get(row) ? 1 : 0, isDescending);
            case INT8 -> ofLong(((ByteColumn) column).get(row), isDescending);
            case UINT8 -> ofLong(((ByteColumn) column).get(row) & 0xFF, isDescending);
            case INT16 -> ofLong(((ShortColumn) column).get(row), isDescending);
            case UINT16 -> ofLong(((ShortColumn) column).get(row) & 0xFFFF, isDescending);
            case INT32 -> ofLong(((IntColumn) column).get(row), isDescending);
            case UINT32 -> ofLong(((IntColumn) column).get(row) & 0xFFFFFFFFL, isDescending);
            case INT64 -> ofLong(((LongColumn) column).get(row), isDescending);
            case UINT64 -> ofLong(((LongColumn) column).get(row) ^ Long.MIN_VALUE, isDescending);
            case FLOAT16 -> ofDouble(((HalfColumn) column).get(row), isDescending);
            case FLOAT32 -> ofDouble(((FloatColumn) column).get(row), isDescending);
            case FLOAT64 -> ofDouble(((DoubleColumn) column).get(row), isDescending);
        };
    }
}
