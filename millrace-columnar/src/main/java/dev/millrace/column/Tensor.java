package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// One tensor on the heap: numbers of one type in row-major order, and a shape. An immutable value, equal by element
/// type, shape and bits. Its array type depends on the element type: `byte[]` for int8 and uint8, `short[]` for 16 bits
/// and float16, `int[]`, `long[]`, `float[]`, `double[]`.
public final class Tensor implements Serializable {
    private static final long serialVersionUID = 1L;

    private final DataType element;
    private final int[] shape;
    private final transient Object array;
    private final transient MemorySegment data;

    private Tensor(DataType element, int[] shape, Object array, MemorySegment data) {
        this.element = element;
        this.shape = shape;
        this.array = array;
        this.data = data;
        long bytes = elements(shape) * elementWidth(element);
        if (data.byteSize() != bytes) {
            throw MillraceException.user("A tensor of shape " + Arrays.toString(shape) + " has " + elements(shape)
                    + " elements, not " + data.byteSize() / elementWidth(element) + ".");
        }
    }

    /// A tensor that takes ownership of `data`: do not change the array afterwards. Likewise the other `of` methods.
    public static Tensor of(float[] data, int... shape) {
        return new Tensor(DataType.FLOAT32, shape.clone(), data, MemorySegment.ofArray(data));
    }

    /// A tensor of float64.
    public static Tensor of(double[] data, int... shape) {
        return new Tensor(DataType.FLOAT64, shape.clone(), data, MemorySegment.ofArray(data));
    }

    /// A tensor of int32.
    public static Tensor of(int[] data, int... shape) {
        return new Tensor(DataType.INT32, shape.clone(), data, MemorySegment.ofArray(data));
    }

    /// A tensor of int64.
    public static Tensor of(long[] data, int... shape) {
        return new Tensor(DataType.INT64, shape.clone(), data, MemorySegment.ofArray(data));
    }

    /// A tensor of int16.
    public static Tensor of(short[] data, int... shape) {
        return new Tensor(DataType.INT16, shape.clone(), data, MemorySegment.ofArray(data));
    }

    /// A tensor of int8; for pixels use [#ofUnsigned].
    public static Tensor of(byte[] data, int... shape) {
        return new Tensor(DataType.INT8, shape.clone(), data, MemorySegment.ofArray(data));
    }

    /// A tensor of uint8, as in images.
    public static Tensor ofUnsigned(byte[] data, int... shape) {
        return new Tensor(DataType.UINT8, shape.clone(), data, MemorySegment.ofArray(data));
    }

    /// A copy of `source`, which contains exactly the elements of `shape`.
    public static Tensor copyOf(DataType element, int[] shape, MemorySegment source) {
        int count = Math.toIntExact(source.byteSize() / elementWidth(element));
        Object array = newArray(element, count);
        MemorySegment data = segmentOf(array);
        MemorySegment.copy(source, 0, data, 0, data.byteSize());
        return new Tensor(element, shape.clone(), array, data);
    }

    /// The type of each element.
    public DataType element() {
        return element;
    }

    /// A copy of the dimensions, the outermost first.
    public int[] shape() {
        return shape.clone();
    }

    /// The number of dimensions.
    public int dimensions() {
        return shape.length;
    }

    /// The number of elements.
    public int elements() {
        return (int) elements(shape);
    }

    /// The fixed-shape type of a column for this value.
    public DataType.Tensor type() {
        return DataType.tensor(element, shape);
    }

    /// The elements in row-major order, read-only.
    public MemorySegment data() {
        return data.asReadOnly();
    }

    /// The element at a row-major position; integers as their value.
    public double getDouble(int index) {
        return switch (array) {
            case float[] floats -> floats[index];
            case double[] doubles -> doubles[index];
            case short[] halves when element.equals(DataType.FLOAT16) -> Float.float16ToFloat(halves[index]);
            default -> element.equals(DataType.UINT64) ? unsignedToDouble(getLong(index)) : getLong(index);
        };
    }

    /// The element at a row-major position; floats are truncated, uint64 as its bits.
    public long getLong(int index) {
        boolean unsigned = element instanceof DataType.Int integer && !integer.signed();
        return switch (array) {
            case byte[] bytes -> unsigned ? bytes[index] & 0xFF : bytes[index];
            case short[] shorts
            when !element.equals(DataType.FLOAT16) -> unsigned ? shorts[index] & 0xFFFF : shorts[index];
            case int[] ints -> unsigned ? ints[index] & 0xFFFFFFFFL : ints[index];
            case long[] longs -> longs[index];
            default -> (long) getDouble(index);
        };
    }

    /// A copy of all elements as floats.
    public float[] toFloats() {
        if (array instanceof float[] floats) {
            return floats.clone();
        }
        float[] floats = new float[elements()];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) getDouble(i);
        }
        return floats;
    }

    /// A copy of all elements as doubles.
    public double[] toDoubles() {
        double[] doubles = new double[elements()];
        for (int i = 0; i < doubles.length; i++) {
            doubles[i] = getDouble(i);
        }
        return doubles;
    }

    /// A copy of all elements as longs; floats are truncated.
    public long[] toLongs() {
        long[] longs = new long[elements()];
        for (int i = 0; i < longs.length; i++) {
            longs[i] = getLong(i);
        }
        return longs;
    }

    /// A copy of the raw bytes, little-endian.
    public byte[] toBytes() {
        return data.toArray(JAVA_BYTE);
    }

    /// The number of bytes of one element of a tensor.
    public static int elementWidth(DataType element) {
        return switch (element) {
            case DataType.Int integer -> integer.bits() / 8;
            case DataType.Float real -> real.bits() / 8;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ ->
                throw new IllegalArgumentException("a tensor holds integers or floats, not " + element);
        };
    }

    static int byteWidth(DataType.Tensor type) {
        return Math.toIntExact(type.elements() * elementWidth(type.element()));
    }

    static int[] shapeOf(DataType.Tensor type) {
        return type.shape().stream().mapToInt(Integer::intValue).toArray();
    }

    private static long elements(int[] shape) {
        long elements = 1;
        for (int dimension : shape) {
            elements = Math.multiplyExact(elements, dimension);
        }
        return elements;
    }

    private static double unsignedToDouble(long bits) {
        double half = (bits >>> 1 | bits & 1);
        return bits >= 0 ? bits : half * 2;
    }

    private static Object newArray(DataType element, int count) {
        return switch (element) {
            case DataType.Int integer ->
                switch (integer.bits()) {
                    case 8 -> new byte[count];
                    case 16 -> new short[count];
                    case 32 -> new int[count];
                    default -> new long[count];
                };
            case DataType.Float real ->
                switch (real.bits()) {
                    case 16 -> new short[count];
                    case 32 -> new float[count];
                    default -> new double[count];
                };
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ ->
                throw new IllegalArgumentException("a tensor holds integers or floats, not " + element);
        };
    }

    private static MemorySegment segmentOf(Object array) {
        return switch (array) {
            case byte[] bytes -> MemorySegment.ofArray(bytes);
            case short[] shorts -> MemorySegment.ofArray(shorts);
            case int[] ints -> MemorySegment.ofArray(ints);
            case long[] longs -> MemorySegment.ofArray(longs);
            case float[] floats -> MemorySegment.ofArray(floats);
            case double[] doubles -> MemorySegment.ofArray(doubles);
            default -> throw new IllegalArgumentException(array.getClass().getName());
        };
    }

    /// The serialised form: the array without the segment over it.
    private record Form(DataType element, int[] shape, Object array) implements Serializable {
        private Object readResolve() {
            return new Tensor(element, shape, array, segmentOf(array));
        }
    }

    private Object writeReplace() {
        return new Form(element, shape, array);
    }

    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("a tensor travels as its form");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tensor tensor
                && tensor.element.equals(element)
                && Arrays.equals(tensor.shape, shape)
                && tensor.data.mismatch(data) < 0;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * element.hashCode() + Arrays.hashCode(shape)) + Arrays.hashCode(toBytes());
    }

    /// Type and shape, and the elements if there are few.
    @Override
    public String toString() {
        String shown = elements() > 16
                ? ""
                : element instanceof DataType.Float
                        ? " " + Arrays.toString(toDoubles())
                        : " " + Arrays.toString(toLongs());
        return type() + shown;
    }
}
