package dev.millrace.internal.avro;

import dev.millrace.internal.avro.AvroType.Kind;
import dev.millrace.internal.avro.AvroType.Logical;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.TimeUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Maps Avro types to column types. Every column is nullable, so a union with null becomes its other branch. A union of
/// int and long is int64, one of float and double is float64; any other union of several types is a struct with a field
/// for each (`member0`, `member1`), of which one has a value.
final class ColumnTypes {
    /// Named types may be used repeatedly: a short schema can describe a tree of any size.
    private static final int MAX_TYPES = 100_000;

    private final List<AvroType> around = new ArrayList<>();
    private int types;

    private ColumnTypes() {}

    /// @throws IllegalArgumentException for recursive records, and for too many types
    static DataType of(AvroType type) {
        return new ColumnTypes().column(type);
    }

    private DataType column(AvroType type) {
        if (++types > MAX_TYPES) {
            throw new IllegalArgumentException("it has more than " + MAX_TYPES + " types");
        }
        return switch (type) {
            case AvroType.Primitive primitive -> primitive(primitive);
            case AvroType.Fixed fixed ->
                switch (fixed.logical()) {
                    case DECIMAL -> decimal(fixed.precision(), fixed.scale(), fixed.wide());
                    case UUID -> DataType.UTF8;
                    default -> DataType.BINARY;
                };
            case AvroType.Enumeration _ -> DataType.UTF8;
            case AvroType.Array array -> DataType.list(column(array.items()));
            case AvroType.MapOf map -> DataType.map(DataType.UTF8, column(map.values()));
            case AvroType.Union union -> union(union);
            case AvroType.Composite composite -> {
                if (around.contains(composite)) {
                    throw new IllegalArgumentException(
                            "the record '" + composite.name() + "' contains itself, and no column can hold that");
                }
                around.add(composite);
                List<Field> fields = new ArrayList<>();
                for (AvroType.Member member : composite.members()) {
                    fields.add(new Field(member.name(), column(member.type())));
                }
                around.removeLast();
                yield new DataType.Struct(fields);
            }
        };
    }

    private static DataType primitive(AvroType.Primitive type) {
        return switch (type.logical()) {
            case DATE -> DataType.DATE;
            case TIME_MILLIS -> DataType.time(TimeUnit.MILLISECOND);
            case TIME_MICROS -> DataType.time(TimeUnit.MICROSECOND);
            case TIMESTAMP_MILLIS -> DataType.timestamp(TimeUnit.MILLISECOND, "UTC");
            case TIMESTAMP_MICROS -> DataType.timestamp(TimeUnit.MICROSECOND, "UTC");
            case TIMESTAMP_NANOS -> DataType.timestamp(TimeUnit.NANOSECOND, "UTC");
            case LOCAL_TIMESTAMP_MILLIS -> DataType.timestamp(TimeUnit.MILLISECOND);
            case LOCAL_TIMESTAMP_MICROS -> DataType.timestamp(TimeUnit.MICROSECOND);
            case LOCAL_TIMESTAMP_NANOS -> DataType.timestamp(TimeUnit.NANOSECOND);
            case DECIMAL -> decimal(type.precision(), type.scale(), type.wide());
            case NONE, UUID ->
                switch (type.kind()) {
                    case NULL -> DataType.NULL;
                    case BOOLEAN -> DataType.BOOL;
                    case INT -> DataType.INT32;
                    case LONG -> DataType.INT64;
                    case FLOAT -> DataType.FLOAT32;
                    case DOUBLE -> DataType.FLOAT64;
                    case BYTES -> DataType.BINARY;
                    case STRING -> DataType.UTF8;
                };
        };
    }

    private static DataType decimal(int precision, int scale, @Nullable DataType wide) {
        if (!AvroType.isWide(precision)) {
            return DataType.decimal(precision, scale);
        }
        if (wide == null) {
            throw new IllegalArgumentException("it has decimals of " + precision + " digits, and columns have "
                    + AvroType.MAX_DIGITS + " at most. Say how they are read: readAvro(path,"
                    + " ReadAvro.defaults().wideDecimals(DataType.UTF8)), or DataType.FLOAT64, BINARY or a decimal"
                    + " that all values fit");
        }
        return wide;
    }

    private DataType union(AvroType.Union union) {
        List<AvroType> some =
                union.branches().stream().filter(branch -> !isNull(branch)).toList();
        if (some.isEmpty()) {
            return DataType.NULL;
        }
        if (some.size() == 1) {
            return column(some.getFirst());
        }
        if (some.stream().allMatch(branch -> isPlain(branch, Kind.INT) || isPlain(branch, Kind.LONG))) {
            return DataType.INT64;
        }
        if (some.stream().allMatch(branch -> isPlain(branch, Kind.FLOAT) || isPlain(branch, Kind.DOUBLE))) {
            return DataType.FLOAT64;
        }
        List<Field> members = new ArrayList<>();
        for (AvroType branch : some) {
            members.add(new Field("member" + members.size(), column(branch)));
        }
        return new DataType.Struct(members);
    }

    static boolean isNull(AvroType type) {
        return isPlain(type, Kind.NULL);
    }

    private static boolean isPlain(AvroType type, Kind kind) {
        return type instanceof AvroType.Primitive primitive
                && primitive.kind() == kind
                && primitive.logical() == Logical.NONE;
    }
}
