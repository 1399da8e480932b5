package dev.millrace.internal.parquet.schema;

import dev.millrace.arrow.IpcReader;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Applies the Arrow schema in a footer, which adds to Parquet's types: zones, durations, fixed lists and tensors. It
/// is used as far as it fits the file's contents, and ignored if it does not or cannot be read. Dictionaries are read
/// as their values.
public final class ArrowTypes {
    private static final String KEY = "ARROW:schema";

    private ArrowTypes() {}

    /// @param properties of the footer
    public static FileSchema applied(FileSchema file, Map<String, String> properties) {
        String encoded = properties.get(KEY);
        Schema arrow = encoded == null ? null : decoded(encoded);
        if (arrow == null) {
            return file;
        }
        List<SchemaNode> columns = new ArrayList<>();
        for (SchemaNode column : file.columns()) {
            int position = arrow.indexOf(column.name());
            columns.add(
                    position < 0 ? column : typed(column, arrow.field(position).type()));
        }
        return new FileSchema(columns, Schema.of(fields(columns)), file.leaves());
    }

    /// Null if it is damaged or has unknown types.
    private static @Nullable Schema decoded(String encoded) {
        try (IpcReader reader = IpcReader.of(
                new ByteArrayInputStream(Base64.getDecoder().decode(encoded)), Allocator.collected("Arrow schema"))) {
            return reader.schema();
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static List<Field> fields(List<SchemaNode> nodes) {
        return nodes.stream().map(node -> new Field(node.name(), node.type())).toList();
    }

    private static SchemaNode typed(SchemaNode node, DataType arrow) {
        if (arrow instanceof DataType.Dictionary(DataType.Int _, DataType value, boolean _)) {
            return typed(node, value);
        }
        return switch (node) {
            case SchemaNode.Leaf leaf -> leaf(leaf, arrow);
            case SchemaNode.Struct struct -> struct(struct, arrow);
            case SchemaNode.ListOf list -> list(list, arrow);
            case SchemaNode.MapOf map ->
                arrow instanceof DataType.MapOf(DataType key, DataType value) ? map(map, key, value) : map;
        };
    }

    private static SchemaNode leaf(SchemaNode.Leaf leaf, DataType arrow) {
        DataType type = switch (arrow) {
            case DataType.Timestamp(var _, String zone)
            when zone != null && leaf.type() instanceof DataType.Timestamp stored && stored.zone() != null ->
                DataType.timestamp(stored.unit(), zone);
            case DataType.Duration duration when leaf.type().equals(DataType.INT64) -> duration;
            // Parquet's type is complete.
            default -> leaf.type();
        };
        return new SchemaNode.Leaf(
                leaf.name(),
                type,
                leaf.element(),
                leaf.column(),
                leaf.repetition(),
                leaf.slotRepetition(),
                leaf.slotDefinition(),
                leaf.definition(),
                leaf.int96());
    }

    private static SchemaNode struct(SchemaNode.Struct struct, DataType arrow) {
        List<Field> told = switch (arrow) {
            case DataType.Struct(List<Field> fields) -> fields;
            case DataType.VariableTensor tensor ->
                ParquetWriteSchema.storage(tensor).fields();
            // Not a struct: there are no fields.
            default -> List.of();
        };
        List<SchemaNode> fields = new ArrayList<>();
        for (SchemaNode field : struct.fields()) {
            fields.add(told.stream()
                    .filter(one -> one.name().equals(field.name()))
                    .findFirst()
                    .map(one -> typed(field, one.type()))
                    .orElse(field));
        }
        DataType type = new DataType.Struct(fields(fields));
        boolean isTensor =
                arrow instanceof DataType.VariableTensor tensor && type.equals(ParquetWriteSchema.storage(tensor));
        return new SchemaNode.Struct(
                struct.name(),
                isTensor ? arrow : type,
                fields,
                struct.slotRepetition(),
                struct.slotDefinition(),
                struct.definition());
    }

    private static SchemaNode list(SchemaNode.ListOf list, DataType arrow) {
        DataType told = switch (arrow) {
            case DataType.ListOf(DataType element) -> element;
            case DataType.FixedList(DataType element, int _) -> element;
            case DataType.Tensor tensor -> tensor.element();
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Struct _,
                    DataType.MapOf _,
                    DataType.VariableTensor _ -> null;
        };
        if (told == null) {
            return list;
        }
        SchemaNode element = typed(list.element(), told);
        DataType type = switch (arrow) {
            case DataType.FixedList(DataType _, int size) -> DataType.fixedList(element.type(), size);
            case DataType.Tensor tensor when tensor.element().equals(element.type()) -> tensor;
            // Lists, and tensors whose element type has changed.
            default -> DataType.list(element.type());
        };
        return new SchemaNode.ListOf(
                list.name(),
                type,
                element,
                list.slotRepetition(),
                list.slotDefinition(),
                list.definition(),
                list.elementDefinition());
    }

    private static SchemaNode map(SchemaNode.MapOf map, DataType keyType, DataType valueType) {
        SchemaNode key = typed(map.key(), keyType);
        SchemaNode value = typed(map.value(), valueType);
        return new SchemaNode.MapOf(
                map.name(),
                DataType.map(key.type(), value.type()),
                key,
                value,
                map.slotRepetition(),
                map.slotDefinition(),
                map.definition(),
                map.elementDefinition());
    }
}
