package dev.millrace.column;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Builds a [MapColumn]: append entries to [#keys] and [#items], then [#endValue] ends a map of them.
public final class MapBuilder extends OffsetBuilder {
    private final ColumnBuilder keys;
    private final ColumnBuilder items;

    /// A builder with an initial capacity of `expected` maps; it grows as needed.
    public MapBuilder(Allocator allocator, DataType.MapOf type, long expected) {
        super(allocator, type, expected, WIDEN_ABOVE);
        this.keys = ColumnBuilder.of(allocator, type.key(), expected);
        this.items = ColumnBuilder.of(allocator, type.value(), expected);
    }

    @Override
    public DataType.MapOf type() {
        return (DataType.MapOf) type;
    }

    /// The builder for the keys of the current map.
    public ColumnBuilder keys() {
        return keys;
    }

    /// The builder for the values of these keys.
    public ColumnBuilder items() {
        return items;
    }

    /// Ends one map: the entries appended since the last value.
    public void endValue() {
        if (keys.length() != items.length()) {
            throw MillraceException.internal("a map with " + keys.length() + " keys and " + items.length() + " items");
        }
        markValid();
        endAt(keys.length());
    }

    @Override
    public void appendNull() {
        markNull();
        endAt(keys.length());
    }

    @Override
    public void append(@Nullable Object value) {
        switch (value) {
            case null -> appendNull();
            case Map<?, ?> map -> {
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    if (entry.getKey() == null) {
                        throw JavaValues.misfit(type, value, "keys that are not null");
                    }
                    keys.append(entry.getKey());
                    items.append(entry.getValue());
                }
                endValue();
            }
            default -> throw JavaValues.misfit(type, value, "a Map");
        }
    }

    @Override
    public void truncate(long values) {
        super.truncate(values);
        keys.truncate(startOf(values));
        items.truncate(startOf(values));
    }

    @Override
    public MapColumn build() {
        long nulls = nullCount();
        int width = offsetWidth();
        Column builtKeys = keys.build();
        Column builtItems = items.build();
        return new MapColumn(type(), length, takeOffsets(), width, builtKeys, builtItems, takeValidity(), 0, nulls);
    }

    @Override
    public long sizeBytes() {
        return validityBytes() + offsetBytes() + keys.sizeBytes() + items.sizeBytes();
    }

    @Override
    public void close() {
        super.close();
        keys.close();
        items.close();
    }
}
