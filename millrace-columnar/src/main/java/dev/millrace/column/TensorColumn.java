package dev.millrace.column;

import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Contiguous tensors of one shape, row-major: images, embeddings. [#values] is one dense array of shape `length x
/// shape`, which native code can read directly.
public final class TensorColumn extends FixedWidthColumn {
    private final int[] shape;

    /// A view of buffers, which the caller keeps owning.
    public TensorColumn(
            DataType.Tensor type, long length, Buffer data, @Nullable Buffer validity, long offset, long nullCount) {
        super(type, Tensor.byteWidth(type), length, data, validity, offset, nullCount);
        this.shape = Tensor.shapeOf(type);
    }

    @Override
    public DataType.Tensor type() {
        return (DataType.Tensor) type;
    }

    /// The elements of one value, without a copy; undefined if [#isNull].
    public MemorySegment segment(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values.asSlice(index * byteWidth(), byteWidth());
    }

    /// A copy of one value.
    public Tensor tensor(long index) {
        return Tensor.copyOf(type().element(), shape, segment(index));
    }

    /// All elements of this view as a float array, in order; those of null values are undefined.
    public float[] toFloats() {
        return Tensor.copyOf(type().element(), new int[] {Math.toIntExact(length * type().elements())}, values())
                .toFloats();
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : tensor(index);
    }

    @Override
    public TensorColumn slice(long from, long count) {
        checkSlice(from, count);
        return new TensorColumn(type(), count, data, validity, offset() + from, UNKNOWN_NULLS);
    }
}
