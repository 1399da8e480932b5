package dev.millrace.column;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Records of named fields: one child column per field, each as long as this one. A null struct has a value in each
/// child too, which is undefined; [#child] does not mask it.
public final class StructColumn extends Column {
    private final Column[] children;

    /// A view of buffers in Arrow's layout, which the caller keeps owning.
    ///
    /// @param children one per field of `type`, each of exactly `length` values
    /// @param validityOffset the first value's bit in `validity`
    public StructColumn(
            DataType.Struct type,
            long length,
            List<? extends Column> children,
            @Nullable Buffer validity,
            long validityOffset,
            long nullCount) {
        super(type, length, validity, validityOffset, nullCount);
        this.children = children.toArray(Column[]::new);
        if (this.children.length != type.fields().size()) {
            throw new IllegalArgumentException(this.children.length + " children for " + type);
        }
        for (Column child : this.children) {
            if (child.length() != length) {
                throw new IllegalArgumentException(
                        "a child of " + child.length() + " values for " + length + " structs");
            }
        }
    }

    @Override
    public DataType.Struct type() {
        return (DataType.Struct) type;
    }

    /// The number of fields.
    public int size() {
        return children.length;
    }

    /// The values of one field, one per struct.
    public Column child(int position) {
        checkAlive();
        return children[position];
    }

    /// The column of a field.
    ///
    /// @throws MillraceException culprit USER, if there is no such field, listing the existing ones
    public Column child(String name) {
        List<Field> fields = type().fields();
        for (int i = 0; i < children.length; i++) {
            if (fields.get(i).name().equals(name)) {
                return child(i);
            }
        }
        throw MillraceException.user("There is no field '" + name + "' in " + type + ".");
    }

    /// The values of all fields, in the order of the type.
    public List<Column> children() {
        checkAlive();
        return List.of(children);
    }

    @Override
    public @Nullable Object value(long index) {
        if (isNull(index)) {
            return null;
        }
        Map<String, Object> map = LinkedHashMap.newLinkedHashMap(children.length);
        for (int i = 0; i < children.length; i++) {
            map.put(type().fields().get(i).name(), children[i].value(index));
        }
        return Collections.unmodifiableMap(map);
    }

    @Override
    public StructColumn slice(long from, long count) {
        checkSlice(from, count);
        List<Column> sliced = List.of(children).stream()
                .map(child -> child.slice(from, count))
                .toList();
        return new StructColumn(type(), count, sliced, validity, validityOffset + from, UNKNOWN_NULLS);
    }

    @Override
    public long sizeBytes() {
        long bytes = validityBytes();
        for (Column child : children) {
            bytes += child.sizeBytes();
        }
        return bytes;
    }

    @Override
    public void forEachBuffer(Consumer<Buffer> action) {
        super.forEachBuffer(action);
        for (Column child : children) {
            child.forEachBuffer(action);
        }
    }
}
