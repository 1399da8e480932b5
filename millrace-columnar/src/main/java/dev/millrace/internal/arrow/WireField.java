package dev.millrace.internal.arrow;

import dev.millrace.type.DataType;
import java.util.List;
import java.util.function.BiConsumer;

/// A field of an IPC stream: its type, its layout, and its children in Arrow's order.
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

    /// Calls `action` with the id of every dictionary in this field and its descendants and with the field that
    /// describes its values; nested dictionaries come before the outer one.
    void forEachDictionary(BiConsumer<Long, WireField> action) {
        children.forEach(child -> child.forEachDictionary(action));
        if (layout instanceof ArrowLayout.Indexed indexed) {
            action.accept(indexed.id(), child(0));
        }
    }
}
