package dev.millrace.column;

import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Creates columns from given values. Each has one reference to its buffers.
public final class Columns {
    /// The account of columns without values, which allocate nothing.
    private static final Allocator NO_MEMORY = Allocator.collected("columns without values");

    private Columns() {}

    /// A column of booleans without nulls; the caller closes its block, or releases it.
    public static BooleanColumn ofBooleans(Allocator allocator, boolean... values) {
        try (BooleanBuilder builder = new BooleanBuilder(allocator, values.length)) {
            for (boolean value : values) {
                builder.append(value);
            }
            return builder.build();
        }
    }

    /// A column of int32 without nulls.
    public static IntColumn ofInts(Allocator allocator, int... values) {
        try (IntBuilder builder = new IntBuilder(allocator, DataType.INT32, values.length)) {
            builder.append(values, 0, values.length);
            return builder.build();
        }
    }

    /// A column of int64 without nulls.
    public static LongColumn ofLongs(Allocator allocator, long... values) {
        try (LongBuilder builder = new LongBuilder(allocator, DataType.INT64, values.length)) {
            builder.append(values, 0, values.length);
            return builder.build();
        }
    }

    /// A column of float32 without nulls.
    public static FloatColumn ofFloats(Allocator allocator, float... values) {
        try (FloatBuilder builder = new FloatBuilder(allocator, DataType.FLOAT32, values.length)) {
            builder.append(values, 0, values.length);
            return builder.build();
        }
    }

    /// A column of float64 without nulls.
    public static DoubleColumn ofDoubles(Allocator allocator, double... values) {
        try (DoubleBuilder builder = new DoubleBuilder(allocator, DataType.FLOAT64, values.length)) {
            builder.append(values, 0, values.length);
            return builder.build();
        }
    }

    /// A column of strings; null strings are null values.
    public static StringColumn ofStrings(Allocator allocator, @Nullable String... values) {
        try (StringColumnBuilder builder = new StringColumnBuilder(allocator, values.length)) {
            for (String value : values) {
                builder.append((Object) value);
            }
            return builder.build();
        }
    }

    /// A column of binaries; null arrays are null values.
    public static BinaryColumn ofBytes(Allocator allocator, byte[]... values) {
        try (BinaryBuilder builder = new BinaryBuilder(allocator, values.length)) {
            for (byte[] value : values) {
                builder.append((Object) value);
            }
            return builder.build();
        }
    }

    /// Tensors of one element type and shape.
    public static TensorColumn ofTensors(Allocator allocator, DataType.Tensor type, List<Tensor> values) {
        return (TensorColumn) of(allocator, type, values);
    }

    /// A column of Java values of any type, including nulls; see [ColumnBuilder#append(Object)].
    public static Column of(Allocator allocator, DataType type, Iterable<?> values) {
        long expected = values instanceof Collection<?> collection ? collection.size() : 0;
        try (ColumnBuilder builder = ColumnBuilder.of(allocator, type, expected)) {
            values.forEach(builder::append);
            return builder.build();
        }
    }

    /// A column of `count` nulls of any type.
    public static Column nulls(Allocator allocator, DataType type, long count) {
        try (ColumnBuilder builder = ColumnBuilder.of(allocator, type, count)) {
            builder.appendNulls(count);
            return builder.build();
        }
    }

    /// A column of `count` times the same Java value, or null.
    public static Column constant(Allocator allocator, DataType type, @Nullable Object value, long count) {
        try (ColumnBuilder builder = ColumnBuilder.of(allocator, type, count)) {
            for (long i = 0; i < count; i++) {
                builder.append(value);
            }
            return builder.build();
        }
    }

    /// A column without values, which takes no memory.
    public static Column empty(DataType type) {
        return ColumnBuilder.of(NO_MEMORY, type, 0).build();
    }

    /// Columns without values for each field.
    public static List<Column> empty(List<Field> fields) {
        return fields.stream().map(field -> empty(field.type())).toList();
    }
}
