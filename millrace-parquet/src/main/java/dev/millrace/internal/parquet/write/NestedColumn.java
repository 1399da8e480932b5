package dev.millrace.internal.parquet.write;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.schema.SchemaNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Splits a column of lists, maps and structs into the entries of its leaves (record shredding). One thread.
final class NestedColumn {
    /// The approximate number of entries that are created at once; a row is never split.
    private static final int ENTRIES = 8192;

    private static final long BYTES = 256 << 10;

    private final SchemaNode root;
    private final List<LeafWriter> leaves;
    private final Deque<NestedSlots> spare = new ArrayDeque<>();
    private int rows;

    NestedColumn(SchemaNode root, List<LeafWriter> leaves) {
        this.root = root;
        this.leaves = leaves;
    }

    void write(Column column) {
        long entries = Math.max(1, entries(column));
        long bytes = Math.max(1, column.sizeBytes());
        long step = Math.min(ENTRIES * column.length() / entries, BYTES * column.length() / bytes);
        step = Math.clamp(step, 1, leaves.getFirst().mostRows());
        for (long from = 0; from < column.length(); from += step) {
            rows = (int) Math.min(step, column.length() - from);
            NestedSlots slots = take();
            slots.start(rows);
            write(root, column.slice(from, rows), slots, 0);
            spare.push(slots);
        }
    }

    /// The maximum number of entries among the column's leaves.
    private static long entries(Column column) {
        return switch (column) {
            case ListColumn list ->
                Math.max(list.length(), entries(list.elements().slice(list.first(), list.extent())));
            case MapColumn map ->
                Math.max(
                        map.length(),
                        Math.max(
                                entries(map.keys().slice(map.first(), map.extent())),
                                entries(map.items().slice(map.first(), map.extent()))));
            case FixedListColumn list -> Math.max(list.length(), entries(list.elements()));
            case TensorColumn tensors -> tensors.length() * tensors.type().elements();
            case StructColumn struct -> {
                long most = struct.length();
                for (Column child : struct.children()) {
                    most = Math.max(most, entries(child));
                }
                yield most;
            }
            case VariableTensorColumn tensors -> entries(tensors.data());
            // No children.
            default -> column.length();
        };
    }

    private NestedSlots take() {
        NestedSlots slots = spare.isEmpty() ? new NestedSlots() : spare.pop();
        slots.count = 0;
        return slots;
    }

    /// @param slots consumed
    /// @param above the definition level of the parent
    private void write(SchemaNode node, Column column, NestedSlots slots, int above) {
        ended(node, column, slots, above);
        switch (node) {
            case SchemaNode.Leaf leaf -> leaves.get(leaf.column() - first()).add(slots, column, rows);
            case SchemaNode.Struct struct -> struct(struct, column, slots);
            case SchemaNode.ListOf list -> {
                NestedSlots below = take();
                Column elements = elements(list, column, slots, below);
                write(list.element(), elements, below, list.elementDefinition());
                spare.push(below);
            }
            case SchemaNode.MapOf map -> {
                MapColumn maps = (MapColumn) column;
                NestedSlots below = take();
                expand(maps, map.elementDefinition(), map.key().slotRepetition(), slots, below);
                NestedSlots again = take();
                again.set(below);
                write(map.key(), maps.keys().slice(maps.first(), maps.extent()), below, map.elementDefinition());
                write(map.value(), maps.items().slice(maps.first(), maps.extent()), again, map.elementDefinition());
                spare.push(below);
                spare.push(again);
            }
        }
    }

    private int first() {
        return leaves.getFirst().plan().leaf().column();
    }

    /// Ends the entries that are null here, and raises the level of the others.
    private void ended(SchemaNode node, Column column, NestedSlots slots, int above) {
        boolean optional = node.definition() > above;
        boolean hasNulls = column.hasNulls();
        if (!optional && !hasNulls) {
            return;
        }
        byte level = (byte) node.definition();
        int[] index = slots.index;
        for (int i = 0; i < slots.count; i++) {
            if (index[i] < 0) {
                continue;
            }
            if (hasNulls && column.isNull(index[i])) {
                if (!optional) {
                    throw MillraceException.data("Column '" + root.name()
                            + "' holds a map with a key that is null, which Parquet does not know.");
                }
                index[i] = -1;
            } else {
                slots.definition[i] = level;
            }
        }
    }

    private void struct(SchemaNode.Struct struct, Column column, NestedSlots slots) {
        for (int i = 0; i < struct.fields().size(); i++) {
            NestedSlots copy = take();
            copy.set(slots);
            Column child = switch (column) {
                case StructColumn records -> records.child(i);
                case VariableTensorColumn tensors -> i == 0 ? tensors.data() : tensors.shapes();
                case BooleanColumn _,
                        DictionaryColumn _,
                        FixedListColumn _,
                        FixedWidthColumn _,
                        NullColumn _,
                        OffsetColumn _ -> throw new IllegalStateException("no struct: " + column.type());
            };
            write(struct.fields().get(i), child, copy, struct.definition());
            spare.push(copy);
        }
    }

    /// Fills `below` with the elements of the lists and returns the column that contains them.
    private Column elements(SchemaNode.ListOf node, Column column, NestedSlots slots, NestedSlots below) {
        int repetition = node.element().slotRepetition();
        return switch (column) {
            case ListColumn list -> {
                expand(list, node.elementDefinition(), repetition, slots, below);
                yield list.elements().slice(list.first(), list.extent());
            }
            case FixedListColumn list -> {
                expand(list.size(), node.elementDefinition(), repetition, slots, below);
                yield list.elements();
            }
            case TensorColumn tensors -> {
                int elements = Math.toIntExact(tensors.type().elements());
                expand(elements, node.elementDefinition(), repetition, slots, below);
                yield FixedWidthColumn.of(
                        tensors.type().element(),
                        tensors.length() * elements,
                        tensors.dataBuffer(),
                        null,
                        tensors.offset() * elements,
                        0);
            }
            case BooleanColumn _,
                    DictionaryColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    MapColumn _,
                    VariableWidthColumn _,
                    StructColumn _,
                    VariableTensorColumn _ -> throw new IllegalStateException("no list: " + column.type());
        };
    }

    private static void expand(OffsetColumn lists, int level, int repetition, NestedSlots slots, NestedSlots below) {
        long base = lists.first();
        for (int i = 0; i < slots.count; i++) {
            int at = slots.index[i];
            long start = at < 0 ? 0 : lists.start(at);
            long length = at < 0 ? 0 : lists.end(at) - start;
            if (length == 0) {
                below.addEnded(slots.definition[i], slots.repetition[i]);
            } else {
                below.addElements(
                        (byte) level,
                        slots.repetition[i],
                        (byte) repetition,
                        Math.toIntExact(start - base),
                        Math.toIntExact(length));
            }
        }
    }

    private static void expand(int size, int level, int repetition, NestedSlots slots, NestedSlots below) {
        for (int i = 0; i < slots.count; i++) {
            if (slots.index[i] < 0 || size == 0) {
                below.addEnded(slots.definition[i], slots.repetition[i]);
            } else {
                below.addElements(
                        (byte) level,
                        slots.repetition[i],
                        (byte) repetition,
                        Math.multiplyExact(slots.index[i], size),
                        size);
            }
        }
    }
}
