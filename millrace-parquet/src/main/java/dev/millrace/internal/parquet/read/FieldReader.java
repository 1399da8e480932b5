package dev.millrace.internal.parquet.read;

import dev.millrace.column.Column;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads one top-level column of a row group: its leaves, and the lists, maps and structs assembled from their levels.
/// One thread.
final class FieldReader implements AutoCloseable {
    /// Below this share of chosen rows the other rows are not materialised.
    private static final double FEW = 0.7;

    private final SchemaNode node;
    private final Allocator allocator;
    private final List<FieldReader> children = new ArrayList<>();
    /// Null if the node is no leaf.
    private @Nullable LeafReader leaf;

    private @Nullable LeafSelection selection;

    /// @param leaves opens a leaf; leaves already opened are closed if a later one fails
    FieldReader(SchemaNode node, Allocator allocator, Function<SchemaNode.Leaf, LeafReader> leaves) {
        this.node = node;
        this.allocator = allocator;
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(this);
            switch (node) {
                case SchemaNode.Leaf value -> leaf = leaves.apply(value);
                case SchemaNode.Struct struct ->
                    struct.fields().forEach(field -> children.add(new FieldReader(field, allocator, leaves)));
                case SchemaNode.ListOf list -> children.add(new FieldReader(list.element(), allocator, leaves));
                case SchemaNode.MapOf map -> {
                    children.add(new FieldReader(map.key(), allocator, leaves));
                    children.add(new FieldReader(map.value(), allocator, leaves));
                }
            }
            scope.keep();
        }
    }

    SchemaNode node() {
        return node;
    }

    void forEachLeaf(Consumer<LeafReader> action) {
        if (leaf != null) {
            action.accept(leaf);
        }
        children.forEach(child -> child.forEachLeaf(action));
    }

    /// The levels of the first leaf: every leaf knows the levels of all its ancestors.
    private LeafLevels levels() {
        return leaf != null ? leaf.levels() : children.getFirst().levels();
    }

    /// Produces dictionary columns from now on, if it is a leaf and that saves memory. Called before the first read.
    void encode(long rows) {
        if (leaf != null) {
            leaf.encode(rows);
        }
    }

    /// The type of the columns that are produced.
    DataType type() {
        return leaf != null ? leaf.type() : node.type();
    }

    void read(int rows) {
        forEachLeaf(one -> one.read(rows));
    }

    /// Reads chosen rows of the next `rows` rows: only their values are materialised if that pays.
    Column read(int rows, SelectionVector selection) {
        boolean few = selection.count() < FEW * rows;
        if (few && node instanceof SchemaNode.Leaf flat && flat.repetition() == 0) {
            return selection().read(rows, selection.positions(), selection.count());
        }
        read(rows);
        Column all = take();
        try {
            return GatherKernel.take(allocator, all, selection);
        } finally {
            all.release();
        }
    }

    /// Reads chosen rows; for a leaf without lists.
    LeafSelection selection() {
        if (selection == null) {
            selection = new LeafSelection(Objects.requireNonNull(leaf, "rows are chosen from a leaf"), allocator);
        }
        return selection;
    }

    void skip(long rows) {
        forEachLeaf(one -> one.skip(rows));
    }

    /// Skips `rows` rows, so that row number `row` of the row group is next.
    void moveTo(long row, long rows) {
        forEachLeaf(one -> one.moveTo(row, rows));
    }

    /// The column of what was read last; the caller owns one reference to each buffer.
    Column take() {
        if (leaf != null) {
            return leaf.take();
        }
        LeafLevels.Slots slots = levels().slots(node);
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> made = scope.list();
            for (FieldReader child : children) {
                made.add(child.take());
            }
            Buffer validity = slots.validity(allocator);
            if (validity != null) {
                scope.add(validity);
            }
            return scope.keep(
                    switch (node) {
                        case SchemaNode.Struct struct -> struct(struct, slots, validity, made);
                        case SchemaNode.ListOf list -> {
                            Buffer offsets = scope.add(offsets(list.elementDefinition(), slots, made));
                            yield list(list, slots, offsets, validity, made.getFirst());
                        }
                        case SchemaNode.MapOf map -> {
                            Buffer offsets = scope.add(offsets(map.elementDefinition(), slots, made));
                            yield map(map, slots, offsets, validity, made);
                        }
                        case SchemaNode.Leaf _ -> throw new IllegalStateException("a leaf makes its own column");
                    });
        }
    }

    /// The offsets of lists, whose number of elements the columns below them have.
    private Buffer offsets(int elementDefinition, LeafLevels.Slots slots, List<Column> below) {
        int[] size = new int[1];
        try (ResourceScope scope = new ResourceScope()) {
            Buffer offsets = scope.add(levels().offsets(node, elementDefinition, slots.count(), allocator, size));
            requireLength(below, size[0]);
            return scope.keep(offsets);
        }
    }

    private static void requireLength(List<Column> below, int length) {
        for (Column child : below) {
            if (child.length() != length) {
                throw new MalformedParquet("its parts have " + child.length() + " and " + length + " values");
            }
        }
    }

    private static DataType.Struct storage(SchemaNode.Struct struct) {
        return new DataType.Struct(struct.fields().stream()
                .map(field -> new Field(field.name(), field.type()))
                .toList());
    }

    private static Column struct(
            SchemaNode.Struct struct, LeafLevels.Slots slots, @Nullable Buffer validity, List<Column> fields) {
        requireLength(fields, slots.count());
        return ShapedColumns.struct(
                struct.type(), new StructColumn(storage(struct), slots.count(), fields, validity, 0, slots.nulls()));
    }

    private Column list(
            SchemaNode.ListOf list,
            LeafLevels.Slots slots,
            Buffer offsets,
            @Nullable Buffer validity,
            Column elements) {
        DataType.ListOf type = DataType.list(list.element().type());
        return ShapedColumns.list(
                list.type(),
                new ListColumn(type, slots.count(), offsets, 4, elements, validity, 0, slots.nulls()),
                allocator);
    }

    private static Column map(
            SchemaNode.MapOf map,
            LeafLevels.Slots slots,
            Buffer offsets,
            @Nullable Buffer validity,
            List<Column> below) {
        return new MapColumn(
                (DataType.MapOf) map.type(),
                slots.count(),
                offsets,
                4,
                below.get(0),
                below.get(1),
                validity,
                0,
                slots.nulls());
    }

    @Override
    public void close() {
        if (selection != null) {
            selection.close();
        }
        if (leaf != null) {
            leaf.close();
        }
        children.forEach(FieldReader::close);
    }
}
