package dev.millrace.internal.parquet.schema;

import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Types;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Determines which part of a file's column is read for a column type: structs lose unused fields, at any depth.
public final class SchemaNarrowing {
    private SchemaNarrowing() {}

    /// The node without the fields that `wanted` lacks. A struct of which no field is used keeps one, because its nulls
    /// are in the levels of its fields.
    @SuppressWarnings("ReferenceEquality") // the same object: nothing was left out
    public static SchemaNode of(SchemaNode node, @Nullable DataType wanted) {
        return switch (node) {
            case SchemaNode.Struct struct when wanted instanceof DataType.Struct to -> struct(struct, to);
            case SchemaNode.ListOf list
            when wanted instanceof DataType.ListOf to -> {
                SchemaNode element = of(list.element(), to.element());
                yield element == list.element()
                        ? list
                        : new SchemaNode.ListOf(
                                list.name(),
                                DataType.list(element.type()),
                                element,
                                list.slotRepetition(),
                                list.slotDefinition(),
                                list.definition(),
                                list.elementDefinition());
            }
            case SchemaNode.MapOf map
            when wanted instanceof DataType.MapOf to -> {
                SchemaNode value = of(map.value(), to.value());
                yield value == map.value()
                        ? map
                        : new SchemaNode.MapOf(
                                map.name(),
                                DataType.map(map.key().type(), value.type()),
                                map.key(),
                                value,
                                map.slotRepetition(),
                                map.slotDefinition(),
                                map.definition(),
                                map.elementDefinition());
            }
            case SchemaNode.Struct _, SchemaNode.ListOf _, SchemaNode.MapOf _, SchemaNode.Leaf _ -> node;
        };
    }

    private static SchemaNode struct(SchemaNode.Struct struct, DataType.Struct wanted) {
        Map<String, DataType> types = types(wanted);
        List<SchemaNode> fields = struct.fields().stream()
                .filter(field -> types.containsKey(field.name()))
                .map(field -> of(field, types.get(field.name())))
                .toList();
        if (fields.equals(struct.fields())) {
            return struct;
        }
        List<SchemaNode> kept = fields.isEmpty() ? struct.fields().subList(0, 1) : fields;
        return new SchemaNode.Struct(
                struct.name(),
                new DataType.Struct(kept.stream()
                        .map(field -> new Field(field.name(), field.type()))
                        .toList()),
                List.copyOf(kept),
                struct.slotRepetition(),
                struct.slotDefinition(),
                struct.definition());
    }

    private static Map<String, DataType> types(DataType.Struct struct) {
        return struct.fields().stream().collect(Collectors.toMap(Field::name, Field::type));
    }

    /// Whether values of type `there` can be converted to `wanted`: unchanged, widened, or with other fields.
    public static boolean fits(DataType there, DataType wanted) {
        if (there.equals(wanted)) {
            return true;
        }
        return switch (there) {
            case DataType.Struct struct
            when wanted instanceof DataType.Struct to -> {
                Map<String, DataType> types = types(to);
                yield struct.fields().stream()
                        .allMatch(field ->
                                !types.containsKey(field.name()) || fits(field.type(), types.get(field.name())));
            }
            case DataType.ListOf list when wanted instanceof DataType.ListOf to -> fits(list.element(), to.element());
            case DataType.MapOf map
            when wanted instanceof DataType.MapOf to -> fits(map.key(), to.key()) && fits(map.value(), to.value());
            // Types without children, or with different ones.
            default -> Types.common(there, wanted).filter(wanted::equals).isPresent();
        };
    }
}
