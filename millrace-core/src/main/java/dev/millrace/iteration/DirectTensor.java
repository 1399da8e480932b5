package dev.millrace.iteration;

import dev.millrace.column.Tensor;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

/// A dense row-major array in native memory, as models and native libraries accept it: an element type, a shape, and
/// direct buffers in native byte order. It may share memory with the dataset, so segment and buffers are read-only,
/// unless [TensorBatchOptions#writable] was set or a [Collate] created the tensor. Native libraries that get its
/// address must only read too. Valid as long as its batch is; buffers obtained from it are valid no longer than that.
public final class DirectTensor {
    private final String name;
    private final DataType type;
    private final long[] shape;
    private final MemorySegment memory;
    private final Runnable check;

    /// A tensor over memory that is its own, or another's for as long as `check` passes.
    ///
    /// @param type integers, floats, or `bool` with one byte per value
    /// @param memory native, of exactly the elements of `shape`; read-only where it is not this tensor's alone
    /// @param check throws when the memory is no longer this tensor's
    public DirectTensor(String name, DataType type, long[] shape, MemorySegment memory, Runnable check) {
        this.name = name;
        this.type = type;
        this.shape = shape.clone();
        this.memory = memory;
        this.check = check;
        if (memory.byteSize() != elements() * width(type)) {
            throw MillraceException.internal(
                    "'" + name + "' has " + memory.byteSize() + " bytes for " + elements() + " elements of " + type);
        }
    }

    /// The column that it is of.
    public String name() {
        return name;
    }

    /// Of the elements.
    public DataType type() {
        return type;
    }

    /// The batch first: `[32, 3, 224, 224]`.
    public long[] shape() {
        return shape.clone();
    }

    /// The product of all sizes.
    public long elements() {
        long elements = 1;
        for (long dimension : shape) {
            elements = Math.multiplyExact(elements, dimension);
        }
        return elements;
    }

    /// Whether segment and buffers may be written to: the memory is this tensor's alone.
    public boolean isWritable() {
        return !memory.isReadOnly();
    }

    /// All elements as they lie in memory.
    public MemorySegment segment() {
        check.run();
        return memory;
    }

    /// All elements as bytes, of any type; 2 GiB at most.
    public ByteBuffer bytes() {
        check.run();
        if (memory.byteSize() > Integer.MAX_VALUE) {
            throw MillraceException.user("Tensor '" + name + "' has " + memory.byteSize()
                    + " bytes, more than a ByteBuffer holds: use smaller batches, or segment().");
        }
        return memory.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /// Its memory as float32; another type is an error.
    public FloatBuffer floats() {
        require("floats", DataType.FLOAT32);
        return bytes().asFloatBuffer();
    }

    /// Its memory as float64; another type is an error.
    public DoubleBuffer doubles() {
        require("doubles", DataType.FLOAT64);
        return bytes().asDoubleBuffer();
    }

    /// Its memory as int64; another type is an error.
    public LongBuffer longs() {
        require("longs", DataType.INT64, DataType.UINT64);
        return bytes().asLongBuffer();
    }

    /// Its memory as int32; another type is an error.
    public IntBuffer ints() {
        require("ints", DataType.INT32, DataType.UINT32);
        return bytes().asIntBuffer();
    }

    /// int16, uint16, or the bits of float16.
    public ShortBuffer shorts() {
        require("shorts", DataType.INT16, DataType.UINT16, DataType.FLOAT16);
        return bytes().asShortBuffer();
    }

    private void require(String method, DataType... types) {
        if (Arrays.stream(types).noneMatch(type::equals)) {
            throw MillraceException.user("Tensor '" + name + "' is of " + type + ", which " + method
                    + "() does not show: ask for another type with dtype(\"" + name + "\", " + types[0]
                    + "), or use bytes().");
        }
    }

    /// A copy of a row that may be kept.
    public Tensor row(long index) {
        if (shape.length == 0 || type.equals(DataType.BOOL)) {
            throw MillraceException.user("Tensor '" + name + "' (" + this + ") has no rows of numbers.");
        }
        long bytes = memory.byteSize() / Math.max(1, shape[0]);
        int[] rowShape = new int[shape.length - 1];
        for (int i = 1; i < shape.length; i++) {
            rowShape[i - 1] = Math.toIntExact(shape[i]);
        }
        return Tensor.copyOf(type, rowShape, segment().asSlice(index * bytes, bytes));
    }

    /// Bytes of one element.
    static int width(DataType type) {
        return type.equals(DataType.BOOL) ? 1 : Tensor.elementWidth(type);
    }

    /// "float32 [32, 3, 224, 224]".
    @Override
    public String toString() {
        return type + " " + Arrays.toString(shape);
    }
}
