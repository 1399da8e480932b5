package dev.millrace.column;

import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Maps: entries `start(i)` to `end(i)` of a key column and an item column. Keys are not null.
public final class MapColumn extends OffsetColumn {
    private final Column keys;
    private final Column items;

    /// A view of buffers in Arrow's layout, which the caller keeps owning.
    ///
    /// @param offsetWidth 4 or 8
    /// @param keys the column that the offsets point into, from its own index 0
    /// @param items as long as `keys`
    /// @param offset the first value's index in `offsets` and in `validity`
    public MapColumn(
            DataType.MapOf type,
            long length,
            Buffer offsets,
            int offsetWidth,
            Column keys,
            Column items,
            @Nullable Buffer validity,
            long offset,
            long nullCount) {
        super(type, length, offsets, offsetWidth, validity, offset, nullCount);
        this.keys = keys;
        this.items = items;
    }

    @Override
    public DataType.MapOf type() {
        return (DataType.MapOf) type;
    }

    /// The keys of all maps, which [#start] and [#end] index; may contain more than those of this view.
    public Column keys() {
        checkAlive();
        return keys;
    }

    /// The values of all maps, at the same indices as their keys.
    public Column items() {
        checkAlive();
        return items;
    }

    /// An immutable map in the order of the entries; for equal keys the last entry is used.
    @Override
    public @Nullable Object value(long index) {
        if (isNull(index)) {
            return null;
        }
        Map<Object, Object> map = new LinkedHashMap<>();
        for (long i = start(index); i < end(index); i++) {
            map.put(keys.value(i), items.value(i));
        }
        return Collections.unmodifiableMap(map);
    }

    @Override
    public MapColumn slice(long from, long count) {
        checkSlice(from, count);
        return new MapColumn(
                type(), count, offsets, offsetWidth(), keys, items, validity, offset + from, UNKNOWN_NULLS);
    }

    @Override
    public long sizeBytes() {
        return validityBytes()
                + offsetBytes()
                + keys.slice(first(), extent()).sizeBytes()
                + items.slice(first(), extent()).sizeBytes();
    }

    @Override
    public void forEachBuffer(Consumer<Buffer> action) {
        super.forEachBuffer(action);
        keys.forEachBuffer(action);
        items.forEachBuffer(action);
    }
}
