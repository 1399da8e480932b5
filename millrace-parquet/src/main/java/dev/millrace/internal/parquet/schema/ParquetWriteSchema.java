package dev.millrace.internal.parquet.schema;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.format.LogicalType;
import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.format.SchemaElement;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The flattened schema of a file to write, with the types that pyarrow chooses; decimals of up to 18 digits are
/// integers, as in files of Spark and DuckDB. Everything is optional except the keys of maps. Types that Parquet does
/// not have (durations, tensors, fixed lists, zones) are stored as the nearest type; the Arrow schema in the footer
/// preserves the original.
public final class ParquetWriteSchema {
    private static final int DEEPEST = 50;

    /// @param path the names from the root to the leaf
    /// @param type the column type of its values; for dictionaries their value type
    public record Leaf(List<String> path, DataType type) {}

    private final List<SchemaElement> elements = new ArrayList<>();
    private final List<Leaf> leaves = new ArrayList<>();
    private final List<String> path = new ArrayList<>();

    /// @throws MillraceException culprit USER, naming the column, if Parquet cannot store it
    public ParquetWriteSchema(Schema schema) {
        elements.add(new SchemaElement(null, 0, SchemaElement.REQUIRED, "schema", schema.size(), null));
        for (Field field : schema.fields()) {
            add(field.name(), field.type(), SchemaElement.OPTIONAL, 0);
        }
    }

    /// The root and its descendants, depth first.
    public List<SchemaElement> elements() {
        return elements;
    }

    public List<Leaf> leaves() {
        return leaves;
    }

    private MillraceException refused(DataType type, String why) {
        return MillraceException.user(
                "Column '" + path.getFirst() + "' cannot be written as Parquet: " + type + " " + why + ".");
    }

    private void add(String name, DataType type, int repetition, int depth) {
        path.add(name);
        if (depth > DEEPEST) {
            throw refused(type, "is nested more than " + DEEPEST + " deep");
        }
        switch (type) {
            case DataType.Null _ -> leaf(name, PhysicalType.INT32, repetition, new LogicalType.Null());
            case DataType.Bool _ -> leaf(name, PhysicalType.BOOLEAN, repetition, null);
            case DataType.Int integer ->
                leaf(
                        name,
                        integer.bits() == 64 ? PhysicalType.INT64 : PhysicalType.INT32,
                        repetition,
                        integer.signed() && integer.bits() >= 32
                                ? null
                                : new LogicalType.Integer(integer.bits(), integer.signed()));
            case DataType.Float real -> real(name, real, repetition);
            case DataType.Decimal decimal -> decimal(name, decimal, repetition);
            case DataType.Date _ -> leaf(name, PhysicalType.INT32, repetition, new LogicalType.Date());
            case DataType.Time(TimeUnit unit) ->
                leaf(
                        name,
                        stored(unit) == TimeUnit.MILLISECOND ? PhysicalType.INT32 : PhysicalType.INT64,
                        repetition,
                        new LogicalType.Time(stored(unit)));
            case DataType.Timestamp(TimeUnit unit, String zone) ->
                leaf(name, PhysicalType.INT64, repetition, new LogicalType.Timestamp(stored(unit), zone != null));
            case DataType.Duration _ -> leaf(name, PhysicalType.INT64, repetition, null);
            case DataType.Utf8 _ -> leaf(name, PhysicalType.BYTE_ARRAY, repetition, new LogicalType.Text());
            case DataType.Binary _ -> leaf(name, PhysicalType.BYTE_ARRAY, repetition, null);
            case DataType.ListOf(DataType element) -> list(name, element, repetition, depth);
            case DataType.FixedList(DataType element, int _) -> list(name, element, repetition, depth);
            case DataType.Tensor tensor -> list(name, tensor.element(), repetition, depth);
            case DataType.Struct struct -> struct(name, struct, repetition, depth);
            case DataType.VariableTensor tensor -> struct(name, storage(tensor), repetition, depth);
            case DataType.MapOf(DataType key, DataType value) -> map(name, key, value, repetition, depth);
            case DataType.Dictionary(DataType.Int _, DataType value, boolean _) -> {
                if (isNested(value)) {
                    throw refused(type, "is a dictionary of nested values");
                }
                path.removeLast();
                add(name, value, repetition, depth);
                path.add(name);
            }
        }
        if (!isNested(type)) {
            leaves.add(new Leaf(List.copyOf(path), type));
        }
        path.removeLast();
    }

    /// The struct that a variable-shape tensor is stored as.
    static DataType.Struct storage(DataType.VariableTensor tensor) {
        return DataType.struct(
                new Field("data", DataType.list(tensor.element())),
                new Field("shape", DataType.fixedList(DataType.INT32, tensor.dimensions())));
    }

    private static boolean isNested(DataType type) {
        return switch (type) {
            case DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _,
                    DataType.Tensor _,
                    DataType.VariableTensor _,
                    DataType.Dictionary _ -> true;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _ -> false;
        };
    }

    /// Parquet has no seconds.
    static TimeUnit stored(TimeUnit unit) {
        return unit == TimeUnit.SECOND ? TimeUnit.MILLISECOND : unit;
    }

    private void leaf(String name, PhysicalType type, int repetition, @Nullable LogicalType logical) {
        elements.add(new SchemaElement(type, 0, repetition, name, 0, logical));
    }

    private void fixed(String name, int length, int repetition, LogicalType logical) {
        elements.add(new SchemaElement(PhysicalType.FIXED_LEN_BYTE_ARRAY, length, repetition, name, 0, logical));
    }

    private void group(String name, int children, int repetition, @Nullable LogicalType logical) {
        elements.add(new SchemaElement(null, 0, repetition, name, children, logical));
    }

    private void real(String name, DataType.Float type, int repetition) {
        switch (type.bits()) {
            case 16 -> fixed(name, 2, repetition, new LogicalType.Half());
            case 32 -> leaf(name, PhysicalType.FLOAT, repetition, null);
            default -> leaf(name, PhysicalType.DOUBLE, repetition, null);
        }
    }

    private void decimal(String name, DataType.Decimal type, int repetition) {
        if (type.scale() < 0 || type.scale() > type.precision()) {
            throw refused(type, "has a scale that is not between 0 and its precision");
        }
        LogicalType logical = new LogicalType.Decimal(type.scale(), type.precision());
        if (type.precision() <= 9) {
            leaf(name, PhysicalType.INT32, repetition, logical);
        } else if (type.precision() <= 18) {
            leaf(name, PhysicalType.INT64, repetition, logical);
        } else {
            fixed(name, decimalBytes(type.precision()), repetition, logical);
        }
    }

    /// The number of bytes for any number of this many digits.
    static int decimalBytes(int precision) {
        return BigInteger.TEN.pow(precision).subtract(BigInteger.ONE).bitLength() / 8 + 1;
    }

    private void list(String name, DataType element, int repetition, int depth) {
        group(name, 1, repetition, new LogicalType.ListOf());
        group("list", 1, SchemaElement.REPEATED, null);
        path.add("list");
        add("element", element, SchemaElement.OPTIONAL, depth + 1);
        path.removeLast();
    }

    private void map(String name, DataType key, DataType value, int repetition, int depth) {
        group(name, 1, repetition, new LogicalType.MapOf());
        group("key_value", 2, SchemaElement.REPEATED, null);
        path.add("key_value");
        add("key", key, SchemaElement.REQUIRED, depth + 1);
        add("value", value, SchemaElement.OPTIONAL, depth + 1);
        path.removeLast();
    }

    private void struct(String name, DataType.Struct struct, int repetition, int depth) {
        if (struct.fields().isEmpty()) {
            throw refused(struct, "has no fields");
        }
        long names = struct.fields().stream().map(Field::name).distinct().count();
        if (names < struct.fields().size()) {
            throw refused(struct, "has two fields of the same name");
        }
        group(name, struct.fields().size(), repetition, null);
        for (Field field : struct.fields()) {
            add(field.name(), field.type(), SchemaElement.OPTIONAL, depth + 1);
        }
    }
}
