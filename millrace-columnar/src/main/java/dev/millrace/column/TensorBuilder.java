package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Builds a [TensorColumn].
public final class TensorBuilder extends FixedWidthBuilder {
    private final int[] shape;

    /// A builder with an initial capacity of `expected` tensors; it grows as needed.
    public TensorBuilder(Allocator allocator, DataType.Tensor type, long expected) {
        super(allocator, type, Tensor.byteWidth(type), expected);
        this.shape = Tensor.shapeOf(type);
    }

    @Override
    public DataType.Tensor type() {
        return (DataType.Tensor) type;
    }

    /// Appends a value by its elements in stored form.
    public void append(MemorySegment elements) {
        requireSize(elements.byteSize());
        appendStored(elements, 0, 1);
    }

    /// Appends a tensor of float32, its elements in row-major order.
    public void append(float[] elements) {
        requireElement(DataType.FLOAT32);
        requireSize(elements.length * (long) Float.BYTES);
        MemorySegment.copy(elements, 0, appendUninitialised(), JAVA_FLOAT, 0, elements.length);
    }

    /// Appends a tensor of float64, its elements in row-major order.
    public void append(double[] elements) {
        requireElement(DataType.FLOAT64);
        requireSize(elements.length * (long) Double.BYTES);
        MemorySegment.copy(elements, 0, appendUninitialised(), JAVA_DOUBLE, 0, elements.length);
    }

    /// Appends a tensor of int8 or uint8.
    public void append(byte[] elements) {
        requireSize(elements.length);
        MemorySegment.copy(elements, 0, appendUninitialised(), JAVA_BYTE, 0, elements.length);
    }

    /// Adds a value whose elements the caller writes into the returned memory, before it uses the builder again.
    public MemorySegment appendUninitialised() {
        reserve(1);
        markValid();
        return values.asSlice(length++ * byteWidth, byteWidth);
    }

    /// Accepts a [Tensor] of this element type and shape, or an array of the element's type.
    @Override
    public void append(@Nullable Object value) {
        switch (value) {
            case null -> appendNull();
            case Tensor tensor
            when tensor.element().equals(type().element()) && Arrays.equals(tensor.shape(), shape) ->
                append(tensor.data());
            case float[] floats when type().element().equals(DataType.FLOAT32) -> append(floats);
            case double[] doubles when type().element().equals(DataType.FLOAT64) -> append(doubles);
            case byte[] bytes when Tensor.elementWidth(type().element()) == 1 -> append(bytes);
            case int[] ints when type().element().equals(DataType.INT32) -> append(MemorySegment.ofArray(ints));
            case long[] longs when type().element().equals(DataType.INT64) -> append(MemorySegment.ofArray(longs));
            default -> throw JavaValues.misfit(type, value, "a Tensor of this element type and shape");
        }
    }

    private void requireElement(DataType element) {
        if (!type().element().equals(element)) {
            throw MillraceException.user("Elements of " + element + " do not fit a column of type " + type + ".");
        }
    }

    private void requireSize(long bytes) {
        if (bytes != byteWidth) {
            int width = Tensor.elementWidth(type().element());
            throw MillraceException.user("A value of " + bytes / width + " elements does not fit a column of type "
                    + type + ", which takes " + byteWidth / width + ".");
        }
    }

    @Override
    public TensorColumn build() {
        long nulls = nullCount();
        return new TensorColumn(type(), length, takeData(), takeValidity(), 0, nulls);
    }
}
