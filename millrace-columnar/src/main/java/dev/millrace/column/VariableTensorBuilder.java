package dev.millrace.column;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Builds a [VariableTensorColumn].
public final class VariableTensorBuilder extends ColumnBuilder {
    private final ListBuilder data;
    private final FixedWidthBuilder elements;
    private final FixedListBuilder shapes;
    private final IntBuilder dimensions;

    /// A builder with an initial capacity of `expected` tensors; it grows as needed.
    public VariableTensorBuilder(Allocator allocator, DataType.VariableTensor type, long expected) {
        super(allocator, type);
        this.data = new ListBuilder(allocator, DataType.list(type.element()), expected);
        this.elements = (FixedWidthBuilder) data.elements();
        this.shapes = new FixedListBuilder(allocator, DataType.fixedList(DataType.INT32, type.dimensions()), expected);
        this.dimensions = (IntBuilder) shapes.elements();
    }

    @Override
    public DataType.VariableTensor type() {
        return (DataType.VariableTensor) type;
    }

    /// Appends a value by its shape and its elements in stored form.
    public void append(int[] shape, MemorySegment stored) {
        long count = 1;
        for (int dimension : shape) {
            count = Math.multiplyExact(count, dimension);
        }
        int width = elements.byteWidth;
        if (shape.length != type().dimensions() || count * width != stored.byteSize()) {
            throw MillraceException.user("A tensor of " + shape.length + " dimensions and " + stored.byteSize() / width
                    + " elements does not fit a column of type " + type + ".");
        }
        elements.appendStored(stored, 0, count);
        data.endValue();
        dimensions.append(shape, 0, shape.length);
        shapes.endValue();
        markValid();
        length++;
    }

    /// Adds a value of a shape, whose elements the caller writes into the returned memory, before it uses the builder
    /// again.
    public MemorySegment appendUninitialised(int... shape) {
        if (shape.length != type().dimensions()) {
            throw MillraceException.user(
                    "A tensor of " + shape.length + " dimensions does not fit a column of type " + type + ".");
        }
        long count = 1;
        for (int dimension : shape) {
            count = Math.multiplyExact(count, dimension);
        }
        MemorySegment memory = elements.addUninitialised(count);
        data.endValue();
        dimensions.append(shape, 0, shape.length);
        shapes.endValue();
        markValid();
        length++;
        return memory;
    }

    @Override
    public void appendNull() {
        data.endValue();
        for (int i = 0; i < type().dimensions(); i++) {
            dimensions.append(0);
        }
        shapes.endValue();
        markNull();
        length++;
    }

    @Override
    public void append(@Nullable Object value) {
        switch (value) {
            case null -> appendNull();
            case Tensor tensor
            when tensor.element().equals(type().element()) && tensor.dimensions() == type().dimensions() ->
                append(tensor.shape(), tensor.data());
            default -> throw JavaValues.misfit(type, value, "a Tensor of this element type and as many dimensions");
        }
    }

    @Override
    public void truncate(long values) {
        super.truncate(values);
        data.truncate(values);
        shapes.truncate(values);
    }

    @Override
    public VariableTensorColumn build() {
        long nulls = nullCount();
        return new VariableTensorColumn(type(), length, data.build(), shapes.build(), takeValidity(), 0, nulls);
    }

    @Override
    public long sizeBytes() {
        return validityBytes() + data.sizeBytes() + shapes.sizeBytes();
    }

    @Override
    public void close() {
        super.close();
        data.close();
        shapes.close();
    }
}
