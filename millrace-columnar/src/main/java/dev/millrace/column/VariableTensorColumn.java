package dev.millrace.column;

import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Tensors that each have a shape of their own, in the layout of Arrow's canonical `variable_shape_tensor`: a list of
/// elements and a fixed list of int32 dimensions per value, row-major.
public final class VariableTensorColumn extends Column {
    private final ListColumn data;
    private final FixedListColumn shapes;
    private final FixedWidthColumn elements;
    private final IntColumn dimensions;

    /// A view of both columns, which the caller keeps owning.
    ///
    /// @param data the elements of each value, null-free
    /// @param shapes the dimensions of each value, null-free, their number given by `type`
    /// @param validityOffset the first value's bit in `validity`
    public VariableTensorColumn(
            DataType.VariableTensor type,
            long length,
            ListColumn data,
            FixedListColumn shapes,
            @Nullable Buffer validity,
            long validityOffset,
            long nullCount) {
        super(type, length, validity, validityOffset, nullCount);
        this.data = data;
        this.shapes = shapes;
        this.elements = (FixedWidthColumn) data.elements();
        this.dimensions = (IntColumn) shapes.elements();
    }

    @Override
    public DataType.VariableTensor type() {
        return (DataType.VariableTensor) type;
    }

    /// The elements, one list per value.
    public ListColumn data() {
        checkAlive();
        return data;
    }

    /// The dimensions, one fixed list of int32 per value.
    public FixedListColumn shapes() {
        checkAlive();
        return shapes;
    }

    /// The dimensions of one value, the outermost first.
    public int[] shape(long index) {
        checkAlive();
        int[] shape = new int[shapes.size()];
        dimensions.copyTo(index * shape.length, shape, 0, shape.length);
        return shape;
    }

    /// The elements of one value, without a copy; undefined if [#isNull].
    public MemorySegment segment(long index) {
        checkAlive();
        long start = data.start(index);
        int width = elements.byteWidth();
        return elements.values().asSlice(start * width, (data.end(index) - start) * width);
    }

    /// A copy of one value.
    public Tensor tensor(long index) {
        return Tensor.copyOf(type().element(), shape(index), segment(index));
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : tensor(index);
    }

    @Override
    public VariableTensorColumn slice(long from, long count) {
        checkSlice(from, count);
        return new VariableTensorColumn(
                type(),
                count,
                data.slice(from, count),
                shapes.slice(from, count),
                validity,
                validityOffset + from,
                UNKNOWN_NULLS);
    }

    @Override
    public long sizeBytes() {
        return validityBytes() + data.sizeBytes() + shapes.sizeBytes();
    }

    @Override
    public void forEachBuffer(Consumer<Buffer> action) {
        super.forEachBuffer(action);
        data.forEachBuffer(action);
        shapes.forEachBuffer(action);
    }
}
