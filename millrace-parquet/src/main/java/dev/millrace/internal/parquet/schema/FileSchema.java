package dev.millrace.internal.parquet.schema;

import dev.millrace.internal.parquet.format.LogicalType;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.SchemaElement;
import dev.millrace.parquet.Int96Timestamps;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/// A file's columns: its flattened schema as a tree, with column types.
///
/// @param leaves the number of leaf columns, which every row group must have
public record FileSchema(List<SchemaNode> columns, Schema schema, int leaves) implements Serializable {
    public static FileSchema of(List<SchemaElement> elements) {
        return of(elements, Int96Timestamps.NANOSECONDS);
    }

    public static FileSchema of(List<SchemaElement> elements, Int96Timestamps int96) {
        SchemaElement root = elements.getFirst();
        Builder builder = new Builder(elements, int96);
        List<SchemaNode> columns = builder.children(root.children(), 0, 0, 0, 0);
        if (builder.at != elements.size()) {
            throw new MalformedParquet("its schema has " + elements.size() + " elements and speaks of " + builder.at);
        }
        List<Field> fields = columns.stream()
                .map(node -> new Field(node.name(), node.type()))
                .toList();
        if (fields.stream().map(Field::name).distinct().count() < fields.size()) {
            throw new MalformedParquet("two of its columns have the same name: "
                    + fields.stream().map(Field::name).toList());
        }
        return new FileSchema(columns, Schema.of(fields), builder.leaves);
    }

    /// Traverses the tree with the levels so far: `repetition` and `definition` of the parent, and the definition level
    /// from which on a slot exists (`slotDefinition`).
    private static final class Builder {
        private static final int DEEPEST = 60;

        private final List<SchemaElement> elements;
        private final Int96Timestamps int96;
        private int at = 1;
        private int leaves;

        Builder(List<SchemaElement> elements, Int96Timestamps int96) {
            this.elements = elements;
            this.int96 = int96;
        }

        List<SchemaNode> children(int count, int repetition, int slotDefinition, int definition, int depth) {
            if (depth > DEEPEST || count > elements.size() - at) {
                throw new MalformedParquet("its schema is damaged");
            }
            List<SchemaNode> children = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                children.add(node(repetition, slotDefinition, definition, depth + 1));
            }
            return children;
        }

        private SchemaElement take() {
            if (at == elements.size()) {
                throw new MalformedParquet("its schema ends too early");
            }
            return elements.get(at++);
        }

        private SchemaNode node(int repetition, int slotDefinition, int definition, int depth) {
            SchemaElement element = take();
            if (element.repetition() == SchemaElement.REPEATED) {
                // A repeated field without a list around it is a list that is never null.
                SchemaNode one = value(element, repetition + 1, definition + 1, definition + 1, depth);
                return list(element.name(), one, repetition, slotDefinition, definition);
            }
            int own = definition + (element.repetition() == SchemaElement.OPTIONAL ? 1 : 0);
            return value(element, repetition, slotDefinition, own, depth);
        }

        /// The node of `element`, apart from its repetition.
        private SchemaNode value(SchemaElement element, int repetition, int slotDefinition, int own, int depth) {
            if (element.children() == 0) {
                return new SchemaNode.Leaf(
                        element.name(),
                        LeafTypes.of(element, int96),
                        element,
                        leaves++,
                        repetition,
                        repetition,
                        slotDefinition,
                        own,
                        int96);
            }
            boolean single = element.children() == 1 && next().repetition() == SchemaElement.REPEATED;
            if (single && element.logical() instanceof LogicalType.ListOf) {
                return listOf(element, repetition, slotDefinition, own, depth);
            }
            if (single && element.logical() instanceof LogicalType.MapOf && next().children() == 2) {
                return mapOf(element, repetition, slotDefinition, own, depth);
            }
            if (single && element.logical() instanceof LogicalType.MapOf && next().children() == 1) {
                return keysOf(element, repetition, slotDefinition, own, depth);
            }
            List<SchemaNode> fields = children(element.children(), repetition, slotDefinition, own, depth);
            return struct(element.name(), fields, repetition, slotDefinition, own);
        }

        private SchemaElement next() {
            if (at == elements.size()) {
                throw new MalformedParquet("its schema ends too early");
            }
            return elements.get(at);
        }

        private SchemaNode struct(String name, List<SchemaNode> fields, int repetition, int slots, int own) {
            List<Field> types = fields.stream()
                    .map(field -> new Field(field.name(), field.type()))
                    .toList();
            return new SchemaNode.Struct(name, new DataType.Struct(types), fields, repetition, slots, own);
        }

        private SchemaNode list(String name, SchemaNode element, int repetition, int slots, int own) {
            return new SchemaNode.ListOf(name, DataType.list(element.type()), element, repetition, slots, own, own + 1);
        }

        /// The repeated field below either contains the element or is the element: old writers omitted the middle group
        /// (see the format's "backward-compatibility rules").
        private SchemaNode listOf(SchemaElement list, int repetition, int slots, int own, int depth) {
            SchemaElement repeated = take();
            boolean isElement = repeated.children() != 1
                    || repeated.name().equals("array")
                    || repeated.name().equals(list.name() + "_tuple")
                    || next().repetition() == SchemaElement.REPEATED;
            SchemaNode element = isElement
                    ? value(repeated, repetition + 1, own + 1, own + 1, depth + 1)
                    : children(1, repetition + 1, own + 1, own + 1, depth + 1).getFirst();
            return list(list.name(), element, repetition, slots, own);
        }

        /// A map may omit its values; it is a list of its keys then.
        private SchemaNode keysOf(SchemaElement map, int repetition, int slots, int own, int depth) {
            take();
            SchemaNode key =
                    children(1, repetition + 1, own + 1, own + 1, depth + 1).getFirst();
            return list(map.name(), key, repetition, slots, own);
        }

        private SchemaNode mapOf(SchemaElement map, int repetition, int slots, int own, int depth) {
            take();
            List<SchemaNode> entry = children(2, repetition + 1, own + 1, own + 1, depth + 1);
            SchemaNode key = entry.get(0);
            SchemaNode value = entry.get(1);
            return new SchemaNode.MapOf(
                    map.name(), DataType.map(key.type(), value.type()), key, value, repetition, slots, own, own + 1);
        }
    }
}
