package dev.millrace.column;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Builds a [StructColumn]: append one value to each [#child], then [#endValue].
public final class StructBuilder extends ColumnBuilder {
    private final ColumnBuilder[] children;
    private final HashMap<String, ColumnBuilder> byName = new HashMap<>();

    /// A builder with an initial capacity of `expected` structs; it grows as needed.
    public StructBuilder(Allocator allocator, DataType.Struct type, long expected) {
        super(allocator, type);
        this.children = new ColumnBuilder[type.fields().size()];
        for (int i = 0; i < children.length; i++) {
            Field field = type.fields().get(i);
            children[i] = ColumnBuilder.of(allocator, field.type(), expected);
            byName.put(field.name(), children[i]);
        }
    }

    @Override
    public DataType.Struct type() {
        return (DataType.Struct) type;
    }

    /// The builder of one field.
    public ColumnBuilder child(int position) {
        return children[position];
    }

    /// Ends a struct, which consists of one value appended to each child since the last one.
    public void endValue() {
        for (int i = 0; i < children.length; i++) {
            if (children[i].length() != length + 1) {
                throw MillraceException.internal(
                        "field " + type().fields().get(i).name() + " of " + type + " has " + children[i].length()
                                + " values, not " + (length + 1));
            }
        }
        markValid();
        length++;
    }

    @Override
    public void appendNull() {
        for (ColumnBuilder child : children) {
            child.appendNull();
        }
        markNull();
        length++;
    }

    /// Accepts a Map by field name; a missing field is null, a key that is not a field is an error.
    @Override
    public void append(@Nullable Object value) {
        switch (value) {
            case null -> appendNull();
            case Map<?, ?> map -> {
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    ColumnBuilder child = byName.get(entry.getKey());
                    if (child == null) {
                        throw JavaValues.misfit(type, value, "no field '" + entry.getKey() + "'");
                    }
                    child.append(entry.getValue());
                }
                for (ColumnBuilder child : children) {
                    if (child.length() == length) {
                        child.appendNull();
                    }
                }
                endValue();
            }
            default -> throw JavaValues.misfit(type, value, "a Map of its fields");
        }
    }

    @Override
    public void truncate(long values) {
        super.truncate(values);
        for (ColumnBuilder child : children) {
            child.truncate(values);
        }
    }

    @Override
    public StructColumn build() {
        long nulls = nullCount();
        Column[] built = new Column[children.length];
        for (int i = 0; i < built.length; i++) {
            built[i] = children[i].build();
        }
        return new StructColumn(type(), length, Arrays.asList(built), takeValidity(), 0, nulls);
    }

    @Override
    public long sizeBytes() {
        long bytes = validityBytes();
        for (ColumnBuilder child : children) {
            bytes += child.sizeBytes();
        }
        return bytes;
    }

    @Override
    public void close() {
        super.close();
        for (ColumnBuilder child : children) {
            child.close();
        }
    }
}
