package dev.millrace.internal.parquet.format;

import dev.millrace.type.TimeUnit;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// The logical type of values, beyond their physical type. Older files use a "converted type", which is mapped to one
/// of these.
public sealed interface LogicalType extends Serializable {
    record Text() implements LogicalType {}

    record MapOf() implements LogicalType {}

    record ListOf() implements LogicalType {}

    record Decimal(int scale, int precision) implements LogicalType {}

    record Date() implements LogicalType {}

    record Time(TimeUnit unit) implements LogicalType {}

    /// @param utc true for an instant, false for a local date and time
    record Timestamp(TimeUnit unit, boolean utc) implements LogicalType {}

    record Integer(int bits, boolean signed) implements LogicalType {}

    record Null() implements LogicalType {}

    record Half() implements LogicalType {}

    /// A type whose values are read as they are stored (UUID, BSON, intervals, geometry, and future types).
    ///
    /// @param ordered whether bounds have the order of unsigned bytes; otherwise their order is unknown
    record Other(boolean ordered) implements LogicalType {}

    private static TimeUnit unit(ThriftReader in) {
        TimeUnit unit = null;
        in.beginStruct();
        while (in.nextField()) {
            unit = switch (in.fieldId()) {
                case 1 -> TimeUnit.MILLISECOND;
                case 2 -> TimeUnit.MICROSECOND;
                case 3 -> TimeUnit.NANOSECOND;
                default -> throw new MalformedParquet("there is no time unit " + in.fieldId());
            };
            in.skip();
        }
        if (unit == null) {
            throw new MalformedParquet("a time without a unit");
        }
        return unit;
    }

    /// Reads the Thrift union: a struct with one field.
    static @Nullable LogicalType read(ThriftReader in) {
        LogicalType type = null;
        in.beginStruct();
        while (in.nextField()) {
            type = switch (in.fieldId()) {
                case 5, 7, 8, 10 -> withParameters(in);
                default -> {
                    LogicalType plain = switch (in.fieldId()) {
                        case 1, 4, 12 -> new Text();
                        case 2 -> new MapOf();
                        case 3 -> new ListOf();
                        case 6 -> new Date();
                        case 11 -> new Null();
                        case 15 -> new Half();
                        case 13, 14 -> new Other(true);
                        default -> new Other(false);
                    };
                    in.skip();
                    yield plain;
                }
            };
        }
        return type;
    }

    private static LogicalType withParameters(ThriftReader in) {
        int kind = in.fieldId();
        int first = 0;
        int second = 0;
        boolean flag = false;
        TimeUnit unit = null;
        in.beginStruct();
        while (in.nextField()) {
            if (in.fieldId() == 1) {
                if (kind == 5 || kind == 10) {
                    first = in.i32();
                } else {
                    flag = in.bool();
                }
            } else if (in.fieldId() == 2) {
                switch (kind) {
                    case 5 -> second = in.i32();
                    case 10 -> flag = in.bool();
                    default -> unit = unit(in);
                }
            } else {
                in.skip();
            }
        }
        if (kind == 5) {
            return new Decimal(first, second);
        }
        if (kind == 10) {
            return new Integer(first, flag);
        }
        if (unit == null) {
            throw new MalformedParquet("a time without a unit");
        }
        return kind == 7 ? new Time(unit) : new Timestamp(unit, flag);
    }

    /// The logical type of a converted type, or null.
    static @Nullable LogicalType ofConverted(int code, int scale, int precision) {
        return switch (code) {
            case 0, 4, 19 -> new Text();
            case 1, 2 -> new MapOf();
            case 3 -> new ListOf();
            case 5 -> new Decimal(scale, precision);
            case 6 -> new Date();
            case 7 -> new Time(TimeUnit.MILLISECOND);
            case 8 -> new Time(TimeUnit.MICROSECOND);
            case 9 -> new Timestamp(TimeUnit.MILLISECOND, true);
            case 10 -> new Timestamp(TimeUnit.MICROSECOND, true);
            case 11, 12, 13, 14 -> new Integer(8 << (code - 11), false);
            case 15, 16, 17, 18 -> new Integer(8 << (code - 15), true);
            case 20 -> new Other(true);
            case 21 -> new Other(false);
            default -> null;
        };
    }
}
