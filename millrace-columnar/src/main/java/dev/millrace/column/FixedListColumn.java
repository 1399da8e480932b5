package dev.millrace.column;

import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Lists of one length: `size` elements each, contiguous in one child column. A null list has elements too, which are
/// undefined.
public final class FixedListColumn extends Column {
    private final Column elements;

    /// A view of buffers in Arrow's layout, which the caller keeps owning.
    ///
    /// @param elements exactly `length * size` of them
    /// @param validityOffset the first value's bit in `validity`
    public FixedListColumn(
            DataType.FixedList type,
            long length,
            Column elements,
            @Nullable Buffer validity,
            long validityOffset,
            long nullCount) {
        super(type, length, validity, validityOffset, nullCount);
        if (elements.length() != length * type.size()) {
            throw new IllegalArgumentException(
                    elements.length() + " elements for " + length + " lists of " + type.size());
        }
        this.elements = elements;
    }

    @Override
    public DataType.FixedList type() {
        return (DataType.FixedList) type;
    }

    /// The number of elements of each list.
    public int size() {
        return type().size();
    }

    /// The elements of this view's lists, `length * size` of them.
    public Column elements() {
        checkAlive();
        return elements;
    }

    /// The elements of one list, without a copy.
    public Column get(long index) {
        return elements().slice(index * size(), size());
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : ListColumn.values(elements, index * size(), (index + 1) * size());
    }

    @Override
    public FixedListColumn slice(long from, long count) {
        checkSlice(from, count);
        Column sliced = elements.slice(from * size(), count * size());
        return new FixedListColumn(type(), count, sliced, validity, validityOffset + from, UNKNOWN_NULLS);
    }

    @Override
    public long sizeBytes() {
        return validityBytes() + elements.sizeBytes();
    }

    @Override
    public void forEachBuffer(Consumer<Buffer> action) {
        super.forEachBuffer(action);
        elements.forEachBuffer(action);
    }
}
