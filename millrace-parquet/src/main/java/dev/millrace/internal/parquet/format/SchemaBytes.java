package dev.millrace.internal.parquet.format;

import dev.millrace.type.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes schema elements in Thrift: logical types, and converted types for older readers.
final class SchemaBytes {
    private SchemaBytes() {}

    static void write(SchemaElement element, ThriftWriter out) {
        out.begin();
        if (element.type() != null) {
            out.i32(1, element.type().ordinal());
        }
        if (element.typeLength() > 0) {
            out.i32(2, element.typeLength());
        }
        out.i32(3, element.repetition());
        out.string(4, element.name());
        if (element.type() == null) {
            out.i32(5, element.children());
        }
        LogicalType logical = element.logical();
        int converted = converted(logical);
        if (converted >= 0) {
            out.i32(6, converted);
        }
        if (logical instanceof LogicalType.Decimal(int scale, int precision)) {
            out.i32(7, scale);
            out.i32(8, precision);
        }
        if (element.fieldId() != SchemaElement.NO_ID) {
            out.i32(9, element.fieldId());
        }
        if (logical != null && !(logical instanceof LogicalType.Other)) {
            out.begin(10);
            logical(logical, out);
            out.end();
        }
        out.end();
    }

    private static void logical(LogicalType type, ThriftWriter out) {
        switch (type) {
            case LogicalType.Text _ -> out.empty(1);
            case LogicalType.MapOf _ -> out.empty(2);
            case LogicalType.ListOf _ -> out.empty(3);
            case LogicalType.Decimal(int scale, int precision) -> {
                out.begin(5);
                out.i32(1, scale);
                out.i32(2, precision);
                out.end();
            }
            case LogicalType.Date _ -> out.empty(6);
            case LogicalType.Time(TimeUnit unit) -> time(7, true, unit, out);
            case LogicalType.Timestamp(TimeUnit unit, boolean utc) -> time(8, utc, unit, out);
            case LogicalType.Integer(int bits, boolean signed) -> {
                out.begin(10);
                out.i8(1, bits);
                out.bool(2, signed);
                out.end();
            }
            case LogicalType.Null _ -> out.empty(11);
            case LogicalType.Half _ -> out.empty(15);
            case LogicalType.Other _ -> throw new IllegalArgumentException("a type without a meaning");
        }
    }

    private static void time(int field, boolean utc, TimeUnit unit, ThriftWriter out) {
        out.begin(field);
        out.bool(1, utc);
        out.begin(2);
        out.empty(
                switch (unit) {
                    case MILLISECOND -> 1;
                    case MICROSECOND -> 2;
                    case NANOSECOND -> 3;
                    case SECOND -> throw new IllegalArgumentException("a time in seconds");
                });
        out.end();
        out.end();
    }

    /// -1 if there is none: there are none for local times and nanoseconds.
    private static int converted(@Nullable LogicalType type) {
        return switch (type) {
            case null -> -1;
            case LogicalType.Text _ -> 0;
            case LogicalType.MapOf _ -> 1;
            case LogicalType.ListOf _ -> 3;
            case LogicalType.Decimal _ -> 5;
            case LogicalType.Date _ -> 6;
            case LogicalType.Time(TimeUnit unit) ->
                unit == TimeUnit.MILLISECOND ? 7 : unit == TimeUnit.MICROSECOND ? 8 : -1;
            case LogicalType.Timestamp(TimeUnit unit, boolean utc) ->
                !utc ? -1 : unit == TimeUnit.MILLISECOND ? 9 : unit == TimeUnit.MICROSECOND ? 10 : -1;
            case LogicalType.Integer(int bits, boolean signed) ->
                Integer.numberOfTrailingZeros(bits) - 3 + (signed ? 15 : 11);
            case LogicalType.Null _, LogicalType.Half _, LogicalType.Other _ -> -1;
        };
    }
}
