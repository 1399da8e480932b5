package dev.millrace.column;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Builds a [DictionaryColumn], storing each distinct value once, in order of first occurrence.
public final class DictionaryBuilder extends ColumnBuilder {
    private final ColumnBuilder values;
    private final ColumnBuilder indices;
    private final Map<Object, Integer> positions = new HashMap<>();
    private final long largest;

    /// A builder with an initial capacity of `expected` values; it grows as needed. Equal values are kept once.
    public DictionaryBuilder(Allocator allocator, DataType.Dictionary type, long expected) {
        super(allocator, type);
        this.values = ColumnBuilder.of(allocator, type.value(), 16);
        this.indices = ColumnBuilder.of(allocator, type.index(), expected);
        int bits = Math.min(type.index().bits(), 32)
                - (type.index().signed() || type.index().bits() >= 32 ? 1 : 0);
        this.largest = (1L << bits) - 1;
    }

    @Override
    public DataType.Dictionary type() {
        return (DataType.Dictionary) type;
    }

    @Override
    public void appendNull() {
        indices.appendNull();
        length++;
    }

    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
            return;
        }
        // Arrays are compared by identity; a buffer around one is compared by content.
        Object key = value instanceof byte[] bytes ? ByteBuffer.wrap(bytes.clone()) : value;
        Integer position = positions.get(key);
        if (position == null) {
            position = positions.size();
            if (position > largest) {
                throw MillraceException.user("A column of type " + type + " with " + type().index()
                        + " indices has no room for more than " + position + " distinct values.");
            }
            values.append(value);
            positions.put(key, position);
        }
        switch (indices) {
            case IntBuilder ints -> ints.append(position.intValue());
            case ByteBuilder bytes -> bytes.append(position.byteValue());
            case ShortBuilder shorts -> shorts.append(position.shortValue());
            default -> indices.append(position);
        }
        length++;
    }

    /// The dictionary is not truncated: unused entries do no harm.
    @Override
    public void truncate(long values) {
        super.truncate(values);
        indices.truncate(values);
        this.values.truncate(positions.size());
    }

    @Override
    public DictionaryColumn build() {
        return new DictionaryColumn(type(), (FixedWidthColumn) indices.build(), values.build());
    }

    @Override
    public long sizeBytes() {
        return indices.sizeBytes() + values.sizeBytes();
    }

    @Override
    public void close() {
        super.close();
        indices.close();
        values.close();
    }
}
