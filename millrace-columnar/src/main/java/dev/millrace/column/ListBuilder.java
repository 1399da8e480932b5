package dev.millrace.column;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/// Builds a [ListColumn]: append elements to [#elements], then [#endValue] ends a list of those appended since the last
/// one.
public final class ListBuilder extends OffsetBuilder {
    private final ColumnBuilder elements;

    /// A builder with an initial capacity of `expected` lists; it grows as needed.
    public ListBuilder(Allocator allocator, DataType.ListOf type, long expected) {
        this(allocator, type, expected, WIDEN_ABOVE);
    }

    ListBuilder(Allocator allocator, DataType.ListOf type, long expected, long widenAbove) {
        super(allocator, type, expected, widenAbove);
        this.elements = ColumnBuilder.of(allocator, type.element(), expected);
    }

    @Override
    public DataType.ListOf type() {
        return (DataType.ListOf) type;
    }

    /// The builder for the elements of the current list.
    public ColumnBuilder elements() {
        return elements;
    }

    /// Ends one list: the elements appended since the last value.
    public void endValue() {
        markValid();
        endAt(elements.length());
    }

    @Override
    public void appendNull() {
        markNull();
        endAt(elements.length());
    }

    /// Accepts any Iterable, or an array of primitives or objects.
    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else {
            appendElements(elements, type, value);
            endValue();
        }
    }

    /// Appends the elements of an Iterable or array to `target`, arrays of the stored type in bulk.
    static void appendElements(ColumnBuilder target, DataType type, Object value) {
        switch (value) {
            case Iterable<?> iterable -> iterable.forEach(target::append);
            case long[] array when target instanceof LongBuilder longs -> longs.append(array, 0, array.length);
            case int[] array when target instanceof IntBuilder ints -> ints.append(array, 0, array.length);
            case double[] array when target instanceof DoubleBuilder doubles -> doubles.append(array, 0, array.length);
            case float[] array when target instanceof FloatBuilder floats -> floats.append(array, 0, array.length);
            case Object array
            when array.getClass().isArray() -> {
                int count = Array.getLength(array);
                for (int i = 0; i < count; i++) {
                    target.append(Array.get(array, i));
                }
            }
            default -> throw JavaValues.misfit(type, value, "a List or an array");
        }
    }

    @Override
    public void truncate(long values) {
        super.truncate(values);
        elements.truncate(startOf(values));
    }

    @Override
    public ListColumn build() {
        long nulls = nullCount();
        int width = offsetWidth();
        Column children = elements.build();
        return new ListColumn(type(), length, takeOffsets(), width, children, takeValidity(), 0, nulls);
    }

    @Override
    public long sizeBytes() {
        return validityBytes() + offsetBytes() + elements.sizeBytes();
    }

    @Override
    public void close() {
        super.close();
        elements.close();
    }
}
