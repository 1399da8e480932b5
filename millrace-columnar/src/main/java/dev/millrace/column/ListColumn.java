package dev.millrace.column;

import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Lists of differing lengths: elements `start(i)` to `end(i)` of one child column.
public final class ListColumn extends OffsetColumn {
    private final Column elements;

    /// A view of buffers in Arrow's layout, which the caller keeps owning.
    ///
    /// @param offsetWidth 4 or 8
    /// @param elements the column that the offsets point into, from its own index 0
    /// @param offset the first value's index in `offsets` and in `validity`
    public ListColumn(
            DataType.ListOf type,
            long length,
            Buffer offsets,
            int offsetWidth,
            Column elements,
            @Nullable Buffer validity,
            long offset,
            long nullCount) {
        super(type, length, offsets, offsetWidth, validity, offset, nullCount);
        this.elements = elements;
    }

    @Override
    public DataType.ListOf type() {
        return (DataType.ListOf) type;
    }

    /// The elements of all lists, which [#start] and [#end] index; may contain more than those of this view.
    public Column elements() {
        checkAlive();
        return elements;
    }

    /// The elements of one list, without a copy.
    public Column get(long index) {
        long start = start(index);
        return elements().slice(start, end(index) - start);
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : values(elements, start(index), end(index));
    }

    /// The boxed values `from` to `to` as an immutable list that may hold nulls.
    static List<Object> values(Column column, long from, long to) {
        List<Object> list = new ArrayList<>(Math.toIntExact(to - from));
        for (long i = from; i < to; i++) {
            list.add(column.value(i));
        }
        return Collections.unmodifiableList(list);
    }

    @Override
    public ListColumn slice(long from, long count) {
        checkSlice(from, count);
        return new ListColumn(type(), count, offsets, offsetWidth(), elements, validity, offset + from, UNKNOWN_NULLS);
    }

    @Override
    public long sizeBytes() {
        return validityBytes()
                + offsetBytes()
                + elements.slice(first(), extent()).sizeBytes();
    }

    @Override
    public void forEachBuffer(Consumer<Buffer> action) {
        super.forEachBuffer(action);
        elements.forEachBuffer(action);
    }
}
