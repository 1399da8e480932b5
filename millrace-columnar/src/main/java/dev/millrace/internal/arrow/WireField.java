package dev.millrace.internal.arrow;

import dev.millrace.type.DataType;
import java.util.List;
import java.util.function.BiConsumer;

/// A field as it lies in an IPC stream: what it means to us, how it is laid out, and its children in Arrow's order.
record WireField(String name, DataType type, ArrowLayout layout, List<WireField> children) {
    WireField {
        children = List.copyOf(children);
    }

    WireField(String name, DataType type, ArrowLayout layout) {
        this(name, type, layout, List.of());
    }

    WireField child(int position) {
        return children.get(position);
    }

    /// Calls `action` with the id of every dictionary below (this field included) and the field that describes its
    /// values; a dictionary's own dictionaries come before it.
    void forEachDictionary(BiConsumer<Long, WireField> action) {
        children.forEach(child -> child.forEachDictionary(action));
        if (layout instanceof ArrowLayout.Indexed indexed) {
            action.accept(indexed.id(), child(0));
        }
    }
}
