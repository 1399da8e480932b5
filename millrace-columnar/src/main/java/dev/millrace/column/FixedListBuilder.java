package dev.millrace.column;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Builds a [FixedListColumn]: append exactly `size` elements to [#elements], then [#endValue].
public final class FixedListBuilder extends ColumnBuilder {
    private final ColumnBuilder elements;

    /// A builder with an initial capacity of `expected` lists; it grows as needed.
    public FixedListBuilder(Allocator allocator, DataType.FixedList type, long expected) {
        super(allocator, type);
        this.elements = ColumnBuilder.of(allocator, type.element(), expected * type.size());
    }

    @Override
    public DataType.FixedList type() {
        return (DataType.FixedList) type;
    }

    /// The builder for the elements of the current list.
    public ColumnBuilder elements() {
        return elements;
    }

    /// Ends a value, which consists of the elements appended since the last one.
    ///
    /// @throws MillraceException culprit USER, if not exactly `size` elements were appended since the last value
    public void endValue() {
        long appended = elements.length() - length * type().size();
        if (appended != type().size()) {
            throw MillraceException.user(
                    "A list of " + appended + " elements does not fit a column of type " + type + ".");
        }
        markValid();
        length++;
    }

    @Override
    public void appendNull() {
        elements.appendNulls(type().size());
        markNull();
        length++;
    }

    /// Accepts any Iterable, or an array of primitives or objects.
    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else {
            ListBuilder.appendElements(elements, type, value);
            endValue();
        }
    }

    @Override
    public void truncate(long values) {
        super.truncate(values);
        elements.truncate(values * type().size());
    }

    @Override
    public FixedListColumn build() {
        long nulls = nullCount();
        return new FixedListColumn(type(), length, elements.build(), takeValidity(), 0, nulls);
    }

    @Override
    public long sizeBytes() {
        return validityBytes() + elements.sizeBytes();
    }

    @Override
    public void close() {
        super.close();
        elements.close();
    }
}
