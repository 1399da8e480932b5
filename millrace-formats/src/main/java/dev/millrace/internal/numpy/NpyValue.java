package dev.millrace.internal.numpy;

import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.TensorBuilder;
import dev.millrace.column.VariableTensorBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.FeedReader;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/// A whole `.npy` file as one value: a tensor, or an element if the array has no dimensions.
public final class NpyValue {
    private final NpyHeader header;
    private final NpyColumns columns;

    private NpyValue(NpyHeader header, String path) {
        this.header = header;
        this.columns = new NpyColumns(header, path);
    }

    /// Reads the header of a file of `size` bytes, from the current position.
    public static NpyValue begin(FeedReader in, long size) throws IOException {
        long start = in.position();
        NpyHeader file = NpyHeader.read(in);
        long[] shape = new long[file.shape().length + 1];
        shape[0] = 1;
        System.arraycopy(file.shape(), 0, shape, 1, file.shape().length);
        boolean fits = Arrays.stream(shape).allMatch(length -> length <= Integer.MAX_VALUE);
        NpyHeader one = new NpyHeader(file.type(), file.columnMajor(), shape, file.dataStart());
        if (!fits || one.rowBytes() > Integer.MAX_VALUE || file.dataStart() - start + one.rowBytes() > size) {
            throw in.malformed(
                    start,
                    "an array of shape " + file.shapeText() + " is larger than the " + size + " bytes it lies in");
        }
        return new NpyValue(one, in.path());
    }

    public DataType type() {
        return columns.valueType();
    }

    /// Reads the elements.
    ///
    /// @return false, having appended nothing, if the value does not fit the column
    public boolean appendTo(ColumnBuilder builder, FeedReader in, Allocator allocator) throws IOException {
        boolean same = builder.type().equals(type());
        if (!same && !isVariable(builder.type())) {
            return false;
        }
        in.require(header.rowBytes(), "an array");
        Column one = columns.copy(allocator, in.window().asSlice(in.at(), header.rowBytes()), 0, 1);
        try {
            switch (builder) {
                case TensorBuilder tensors -> tensors.append(((FixedWidthColumn) one).values());
                case VariableTensorBuilder tensors ->
                    tensors.append(header.rowShape(), ((FixedWidthColumn) one).values());
                default -> builder.append(one.value(0));
            }
        } finally {
            one.release();
        }
        in.advance(header.rowBytes());
        return true;
    }

    private boolean isVariable(DataType column) {
        return column instanceof DataType.VariableTensor variable
                && type() instanceof DataType.Tensor tensor
                && tensor.element().equals(variable.element())
                && tensor.shape().size() == variable.dimensions();
    }

    /// The header of an array of this type and shape; the elements follow in row-major order.
    public static byte[] header(DataType element, int[] shape) {
        if (shape.length == 0) {
            throw MillraceException.internal("an array without dimensions");
        }
        NumpyType type = Objects.requireNonNull(NumpyType.of(element), "elements of tensors are numbers");
        return NpyHeader.write(type, shape[0], Arrays.copyOfRange(shape, 1, shape.length));
    }
}
