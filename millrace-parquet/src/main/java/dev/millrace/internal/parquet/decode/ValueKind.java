package dev.millrace.internal.parquet.decode;

import dev.millrace.internal.parquet.format.SchemaElement;
import dev.millrace.parquet.Int96Timestamps;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// How the values of a leaf are stored and how they are laid out in a column.
///
/// @param storedWidth bytes of a stored value; 0 for variable length; 1 for booleans
/// @param width bytes in the column; 0 for byte strings with offsets
/// @param conversion from the stored to the column layout; null if they are the same
public record ValueKind(
        int storedWidth, int width, @Nullable ValueConversion conversion) {
    /// @param element of a leaf
    public static ValueKind of(SchemaElement element, DataType type, Int96Timestamps int96) {
        boolean decimal = type instanceof DataType.Decimal;
        return switch (element.leafType()) {
            case BOOLEAN -> new ValueKind(1, 1, null);
            case INT32 -> decimal ? new ValueKind(4, 16, ValueConversion::intsToDecimals) : int32(type);
            case INT64 -> decimal ? new ValueKind(8, 16, ValueConversion::longsToDecimals) : new ValueKind(8, 8, null);
            case INT96 -> new ValueKind(12, 8, timestamps(int96));
            case FLOAT -> new ValueKind(4, 4, null);
            case DOUBLE -> new ValueKind(8, 8, null);
            case BYTE_ARRAY -> new ValueKind(0, decimal ? 16 : 0, null);
            case FIXED_LEN_BYTE_ARRAY -> {
                int width = element.typeLength();
                yield decimal
                        ? new ValueKind(width, 16, ValueConversion.decimals(width))
                        : new ValueKind(width, width, null);
            }
        };
    }

    private static ValueConversion timestamps(Int96Timestamps int96) {
        return switch (int96) {
            case NANOSECONDS -> Int96Conversion::toNanos;
            case MICROSECONDS -> Int96Conversion::toMicros;
            case NULL_BEYOND_NANOSECONDS -> Int96Conversion::toNanosOrBeyond;
        };
    }

    private static ValueKind int32(DataType type) {
        int bits = type instanceof DataType.Int integer ? integer.bits() : 32;
        return switch (bits) {
            case 8 -> new ValueKind(4, 1, ValueConversion::toBytes);
            case 16 -> new ValueKind(4, 2, ValueConversion::toShorts);
            default -> new ValueKind(4, 4, null);
        };
    }

    public boolean isBytes() {
        return width == 0;
    }
}
