package dev.millrace.column;

import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Values stored once in a dictionary, and one index into it per row. A value is null if its index is null or refers to
/// a null in the dictionary; the validity bits alone are not sufficient: use [#isNull].
public final class DictionaryColumn extends Column {
    private final FixedWidthColumn indices;
    private final Column dictionary;

    /// A view of both columns, which the caller keeps owning.
    ///
    /// @param indices a column of `type`'s index type; its nulls are this column's
    public DictionaryColumn(DataType.Dictionary type, FixedWidthColumn indices, Column dictionary) {
        super(type, indices.length, indices.validity, indices.validityOffset, UNKNOWN_NULLS);
        this.indices = indices;
        this.dictionary = dictionary;
    }

    @Override
    public DataType.Dictionary type() {
        return (DataType.Dictionary) type;
    }

    /// The position in the dictionary of each value, with the column's nulls.
    public FixedWidthColumn indices() {
        checkAlive();
        return indices;
    }

    /// The dictionary that indices refer to.
    public Column dictionary() {
        checkAlive();
        return dictionary;
    }

    /// The index of the value in [#dictionary]; undefined if it is null.
    public int index(long row) {
        return switch (indices) {
            case IntColumn ints -> ints.get(row);
            case ByteColumn bytes -> bytes.toInt(row);
            case ShortColumn shorts -> shorts.toInt(row);
            case LongColumn longs -> (int) longs.get(row);
            case DecimalColumn _, DoubleColumn _, FloatColumn _, HalfColumn _, TensorColumn _ ->
                throw new IllegalStateException("an index of type " + indices.type());
        };
    }

    @Override
    public boolean hasNulls() {
        return super.hasNulls() || dictionary.hasNulls();
    }

    @Override
    public boolean isNull(long row) {
        return super.isNull(row) || dictionary.hasNulls() && dictionary.isNull(index(row));
    }

    @Override
    public long nullCount() {
        if (!dictionary.hasNulls()) {
            return super.nullCount();
        }
        long nulls = 0;
        for (long i = 0; i < length; i++) {
            nulls += isNull(i) ? 1 : 0;
        }
        return nulls;
    }

    @Override
    public @Nullable Object value(long row) {
        return super.isNull(row) ? null : dictionary.value(index(row));
    }

    @Override
    public DictionaryColumn slice(long from, long count) {
        checkSlice(from, count);
        return new DictionaryColumn(type(), (FixedWidthColumn) indices.slice(from, count), dictionary);
    }

    /// The indices of this view and the whole dictionary.
    @Override
    public long sizeBytes() {
        return indices.sizeBytes() + dictionary.sizeBytes();
    }

    @Override
    public void forEachBuffer(Consumer<Buffer> action) {
        // The validity buffer is that of the indices, which pass it.
        indices.forEachBuffer(action);
        dictionary.forEachBuffer(action);
    }
}
