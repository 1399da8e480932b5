package dev.millrace.internal.parquet.schema;

import dev.millrace.internal.parquet.format.LogicalType;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.format.SchemaElement;
import dev.millrace.parquet.Int96Timestamps;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Determines the column type of a leaf. A logical type that does not fit its physical type is ignored, as in other
/// readers.
final class LeafTypes {
    private LeafTypes() {}

    static DataType of(SchemaElement element, Int96Timestamps int96) {
        if (element.type() == null) {
            throw new MalformedParquet("'" + element.name() + "' has neither a type nor fields");
        }
        if (element.type() == PhysicalType.FIXED_LEN_BYTE_ARRAY && element.typeLength() <= 0) {
            throw new MalformedParquet("'" + element.name() + "' has values of " + element.typeLength() + " bytes");
        }
        LogicalType annotated = element.logical();
        DataType logical = annotated == null ? null : logical(element, annotated);
        return logical == null ? physical(element.type(), int96) : logical;
    }

    private static DataType physical(PhysicalType type, Int96Timestamps int96) {
        return switch (type) {
            case BOOLEAN -> DataType.BOOL;
            case INT32 -> DataType.INT32;
            case INT64 -> DataType.INT64;
            case INT96 ->
                DataType.timestamp(int96 == Int96Timestamps.MICROSECONDS ? TimeUnit.MICROSECOND : TimeUnit.NANOSECOND);
            case FLOAT -> DataType.FLOAT32;
            case DOUBLE -> DataType.FLOAT64;
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> DataType.BINARY;
        };
    }

    /// Null if the physical type decides.
    private static @Nullable DataType logical(SchemaElement element, LogicalType logical) {
        PhysicalType stored = element.type();
        boolean is32 = stored == PhysicalType.INT32;
        boolean is64 = stored == PhysicalType.INT64;
        return switch (logical) {
            case LogicalType.Text _ -> stored == PhysicalType.BYTE_ARRAY ? DataType.UTF8 : null;
            case LogicalType.Decimal decimal -> decimal(element, decimal);
            case LogicalType.Date _ -> is32 ? DataType.DATE : null;
            case LogicalType.Time time ->
                time.unit() == TimeUnit.MILLISECOND
                        ? is32 ? DataType.time(time.unit()) : null
                        : is64 ? DataType.time(time.unit()) : null;
            case LogicalType.Timestamp time ->
                is64 ? time.utc() ? DataType.timestamp(time.unit(), "UTC") : DataType.timestamp(time.unit()) : null;
            case LogicalType.Integer integer ->
                is32 && integer.bits() <= 32 || is64 && integer.bits() == 64 ? integer(integer) : null;
            case LogicalType.Null _ -> DataType.NULL;
            case LogicalType.Half _ ->
                stored == PhysicalType.FIXED_LEN_BYTE_ARRAY && element.typeLength() == 2 ? DataType.FLOAT16 : null;
            case LogicalType.ListOf _, LogicalType.MapOf _, LogicalType.Other _ -> null;
        };
    }

    private static DataType integer(LogicalType.Integer integer) {
        return switch (integer.bits()) {
            case 8, 16, 32, 64 -> new DataType.Int(integer.bits(), integer.signed());
            default -> throw new MalformedParquet("an integer of " + integer.bits() + " bits");
        };
    }

    private static @Nullable DataType decimal(SchemaElement element, LogicalType.Decimal decimal) {
        if (decimal.precision() < 1 || decimal.scale() < 0 || decimal.scale() > decimal.precision()) {
            throw new MalformedParquet("'" + element.name() + "' is a decimal of " + decimal.precision() + " digits, "
                    + decimal.scale() + " of them after the point");
        }
        if (decimal.precision() > 38) {
            throw new MalformedParquet("'" + element.name() + "' is a decimal of " + decimal.precision()
                    + " digits; 38 are the most that can be read");
        }
        return switch (element.leafType()) {
            case INT32, INT64, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY ->
                DataType.decimal(decimal.precision(), decimal.scale());
            default -> null;
        };
    }
}
