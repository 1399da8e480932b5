package dev.millrace.internal.avro;

import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The Avro schema of columns, as JSON. Every column and element is nullable, so their types are unions with null.
final class AvroWriteSchema {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private int records;

    private AvroWriteSchema() {}

    static String of(Schema schema) {
        return new AvroWriteSchema().record(schema.fields());
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    private String record(List<Field> fields) {
        String name = records == 0 ? "Row" : "Struct" + records;
        records++;
        return "{\"type\":\"record\",\"name\":\"" + name + "\",\"fields\":["
                + fields.stream()
                        .map(field -> "{\"name\":\"" + field.name() + "\",\"type\":" + nullable(field.type()) + "}")
                        .collect(Collectors.joining(","))
                + "]}";
    }

    private String nullable(DataType type) {
        return type instanceof DataType.Null ? "\"null\"" : "[\"null\"," + plain(type) + "]";
    }

    private String plain(DataType type) {
        return switch (type) {
            case DataType.Null _ -> "\"null\"";
            case DataType.Bool _ -> "\"boolean\"";
            case DataType.Int integer -> isInt(integer) ? "\"int\"" : "\"long\"";
            case DataType.Float real -> real.bits() == 64 ? "\"double\"" : "\"float\"";
            case DataType.Utf8 _ -> "\"string\"";
            case DataType.Binary _ -> "\"bytes\"";
            case DataType.Date _ -> logical("int", "date");
            case DataType.Time time ->
                time.unit().compareTo(TimeUnit.MILLISECOND) <= 0
                        ? logical("int", "time-millis")
                        : logical("long", "time-micros");
            case DataType.Timestamp time ->
                logical("long", (time.zone() == null ? "local-" : "") + "timestamp-" + unit(time.unit()));
            case DataType.Decimal decimal ->
                "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":" + decimal.precision() + ",\"scale\":"
                        + decimal.scale() + "}";
            case DataType.ListOf list -> array(nullable(list.element()));
            case DataType.FixedList list -> array(nullable(list.element()));
            case DataType.MapOf map -> "{\"type\":\"map\",\"values\":" + nullable(map.value()) + "}";
            case DataType.Struct struct -> record(struct.fields());
            case DataType.Dictionary dictionary -> plain(dictionary.value());
            case DataType.Tensor tensor -> {
                String nested = plain(tensor.element());
                for (int i = 0; i < tensor.shape().size(); i++) {
                    nested = array(nested);
                }
                yield nested;
            }
            case DataType.Duration _, DataType.VariableTensor _ ->
                throw new IllegalArgumentException(type + " has no type in Avro");
        };
    }

    static boolean isInt(DataType.Int type) {
        return type.bits() < 32 || type.bits() == 32 && type.signed();
    }

    private static String unit(TimeUnit unit) {
        return switch (unit) {
            case SECOND, MILLISECOND -> "millis";
            case MICROSECOND -> "micros";
            case NANOSECOND -> "nanos";
        };
    }

    private static String logical(String type, String name) {
        return "{\"type\":\"" + type + "\",\"logicalType\":\"" + name + "\"}";
    }

    private static String array(String items) {
        return "{\"type\":\"array\",\"items\":" + items + "}";
    }

    /// The part of a type that Avro cannot represent; null if there is none.
    static @Nullable String misfit(DataType type) {
        return switch (type) {
            case DataType.Duration _ -> "durations";
            case DataType.VariableTensor _ -> "tensors of several shapes";
            case DataType.Int integer when integer.bits() == 64 && !integer.signed() -> "uint64";
            case DataType.Time time when time.unit() == TimeUnit.NANOSECOND -> "times of nanoseconds";
            case DataType.Decimal decimal
            when decimal.scale() < 0 || decimal.scale() > decimal.precision() -> "decimals with such a scale";
            case DataType.ListOf list -> misfit(list.element());
            case DataType.FixedList list -> misfit(list.element());
            case DataType.Tensor tensor -> misfit(tensor.element());
            case DataType.Dictionary dictionary -> misfit(dictionary.value());
            case DataType.MapOf map when !(map.key() instanceof DataType.Utf8) -> "maps whose keys are no strings";
            case DataType.MapOf map -> misfit(map.value());
            case DataType.Struct struct ->
                struct.fields().stream()
                        .map(field ->
                                isName(field.name()) ? misfit(field.type()) : "a field named '" + field.name() + "'")
                        .filter(what -> what != null)
                        .findFirst()
                        .orElse(null);
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Utf8 _,
                    DataType.Binary _ -> null;
        };
    }
}
