package dev.millrace.internal.iceberg;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// Maps a table's columns to Millrace's types. UUIDs and fixed byte strings are binary.
final class IcebergTypes {
    private IcebergTypes() {}

    /// The columns of a table.
    ///
    /// @throws MillraceException culprit USER, naming the column, if a type is not supported
    public static Schema schema(org.apache.iceberg.Schema schema) {
        return Schema.of(fields(schema.columns(), null));
    }

    private static List<Field> fields(List<Types.NestedField> fields, @Nullable String column) {
        List<Field> made = new ArrayList<>();
        for (Types.NestedField field : fields) {
            String top = column == null ? field.name() : column;
            if (column != null && field.initialDefault() != null) {
                throw MillraceException.user("The column '" + top + "' has a field '" + field.name()
                        + "' with a default for the rows of older files, which is supported for whole columns only.");
            }
            made.add(new Field(field.name(), type(field.type(), top)));
        }
        return made;
    }

    private static DataType type(Type type, String column) {
        return switch (type.typeId()) {
            case UNKNOWN -> DataType.NULL;
            case BOOLEAN -> DataType.BOOL;
            case INTEGER -> DataType.INT32;
            case LONG -> DataType.INT64;
            case FLOAT -> DataType.FLOAT32;
            case DOUBLE -> DataType.FLOAT64;
            case DATE -> DataType.DATE;
            case TIME -> DataType.time(TimeUnit.MICROSECOND);
            case TIMESTAMP -> stamp(TimeUnit.MICROSECOND, ((Types.TimestampType) type).shouldAdjustToUTC());
            case TIMESTAMP_NANO -> stamp(TimeUnit.NANOSECOND, ((Types.TimestampNanoType) type).shouldAdjustToUTC());
            case STRING -> DataType.UTF8;
            case UUID, FIXED, BINARY -> DataType.BINARY;
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) type;
                yield DataType.decimal(decimal.precision(), decimal.scale());
            }
            case STRUCT ->
                DataType.struct(fields(type.asStructType().fields(), column).toArray(Field[]::new));
            case LIST -> DataType.list(type(type.asListType().elementType(), column));
            case MAP ->
                DataType.map(
                        type(type.asMapType().keyType(), column),
                        type(type.asMapType().valueType(), column));
            default ->
                throw MillraceException.user(
                        "The column '" + column + "' is of type " + type + ", which is not supported.");
        };
    }

    private static DataType stamp(TimeUnit unit, boolean utc) {
        return utc ? DataType.timestamp(unit, "UTC") : DataType.timestamp(unit);
    }

    /// Names of columns, and of fields at any depth, by their ids.
    public static Map<Integer, String> names(org.apache.iceberg.Schema schema) {
        Map<Integer, String> names = new HashMap<>();
        TypeUtil.indexById(schema.asStruct()).forEach((id, field) -> names.put(id, field.name()));
        return names;
    }

    /// Ids by the paths of nodes in a Parquet file, see [dev.millrace.internal.parquet.schema.FieldIds].
    public static Map<List<String>, Integer> ids(org.apache.iceberg.Schema schema) {
        Map<List<String>, Integer> ids = new HashMap<>();
        schema.columns().forEach(field -> ids(field, List.of(), ids));
        return ids;
    }

    private static void ids(Types.NestedField field, List<String> above, Map<List<String>, Integer> ids) {
        List<String> path = new ArrayList<>(above);
        path.add(field.name());
        ids.put(path, field.fieldId());
        if (field.type().isNestedType()) {
            field.type().asNestedType().fields().forEach(below -> ids(below, path, ids));
        }
    }
}
