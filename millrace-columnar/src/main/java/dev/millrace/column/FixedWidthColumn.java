package dev.millrace.column;

import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Contiguous values of one width. Kernels that only move values (gather, concatenate, partition) work on this class
/// alone, by [#byteWidth].
public abstract sealed class FixedWidthColumn extends Column
        permits ByteColumn,
                DecimalColumn,
                DoubleColumn,
                FloatColumn,
                HalfColumn,
                IntColumn,
                LongColumn,
                ShortColumn,
                TensorColumn {
    final Buffer data;
    /// Exactly the values of this view: `length * byteWidth` bytes.
    final MemorySegment values;

    private final int byteWidth;
    private final long offset;

    /// @param offset the first value's index in `data`; the same for the validity bits
    FixedWidthColumn(
            DataType type,
            int byteWidth,
            long length,
            Buffer data,
            @Nullable Buffer validity,
            long offset,
            long nullCount) {
        super(type, length, validity, offset, nullCount);
        this.byteWidth = byteWidth;
        this.offset = offset;
        this.data = data;
        this.values = data.seal().segment().asSlice(offset * byteWidth, length * byteWidth);
    }

    /// A column of any fixed-width type over buffers in its layout.
    public static FixedWidthColumn of(
            DataType type, long length, Buffer data, @Nullable Buffer validity, long offset, long nullCount) {
        return switch (type) {
            case DataType.Int integer ->
                switch (integer.bits()) {
                    case 8 -> new ByteColumn(type, length, data, validity, offset, nullCount);
                    case 16 -> new ShortColumn(type, length, data, validity, offset, nullCount);
                    case 32 -> new IntColumn(type, length, data, validity, offset, nullCount);
                    default -> new LongColumn(type, length, data, validity, offset, nullCount);
                };
            case DataType.Float real ->
                switch (real.bits()) {
                    case 16 -> new HalfColumn(type, length, data, validity, offset, nullCount);
                    case 32 -> new FloatColumn(type, length, data, validity, offset, nullCount);
                    default -> new DoubleColumn(type, length, data, validity, offset, nullCount);
                };
            case DataType.Decimal decimal -> new DecimalColumn(decimal, length, data, validity, offset, nullCount);
            case DataType.Date _ -> new IntColumn(type, length, data, validity, offset, nullCount);
            case DataType.Time time
            when time.unit().compareTo(TimeUnit.MILLISECOND) <= 0 ->
                new IntColumn(type, length, data, validity, offset, nullCount);
            case DataType.Time _, DataType.Timestamp _, DataType.Duration _ ->
                new LongColumn(type, length, data, validity, offset, nullCount);
            case DataType.Tensor tensor -> new TensorColumn(tensor, length, data, validity, offset, nullCount);
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _,
                    DataType.VariableTensor _ -> throw new IllegalArgumentException(type + " has no fixed width");
        };
    }

    /// The number of bytes per value.
    public final int byteWidth() {
        return byteWidth;
    }

    /// The values of this view, little-endian, without those before or after it: for loops at memory speed and for
    /// native code. Read-only.
    public final MemorySegment values() {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return values;
    }

    /// The first value's index in [#dataBuffer].
    public final long offset() {
        return offset;
    }

    /// The contiguous values; the first may not be this column's first.
    public final Buffer dataBuffer() {
        return data;
    }

    @Override
    public final void forEachBuffer(Consumer<Buffer> action) {
        super.forEachBuffer(action);
        action.accept(data);
    }

    @Override
    public final long sizeBytes() {
        return length * byteWidth + validityBytes();
    }
}
