package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Contiguous byte strings of varying length.
public abstract sealed class VariableWidthColumn extends OffsetColumn permits BinaryColumn, StringColumn {
    final Buffer data;
    final MemorySegment bytes;

    VariableWidthColumn(
            DataType type,
            long length,
            Buffer offsets,
            int offsetWidth,
            Buffer data,
            @Nullable Buffer validity,
            long offset,
            long nullCount) {
        super(type, length, offsets, offsetWidth, validity, offset, nullCount);
        this.data = data;
        this.bytes = data.seal().segment();
    }

    /// A string or binary column over buffers in its layout.
    public static VariableWidthColumn of(
            DataType type,
            long length,
            Buffer offsets,
            int offsetWidth,
            Buffer data,
            @Nullable Buffer validity,
            long offset,
            long nullCount) {
        return switch (type) {
            case DataType.Utf8 _ -> new StringColumn(length, offsets, offsetWidth, data, validity, offset, nullCount);
            case DataType.Binary _ -> new BinaryColumn(length, offsets, offsetWidth, data, validity, offset, nullCount);
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw new IllegalArgumentException(type + " is not made of byte strings");
        };
    }

    /// The bytes of one value, without a copy. For a loop over all values, [#dataSegment] with [#start] and [#end] is
    /// faster.
    public final MemorySegment bytes(long index) {
        long start = start(index);
        return bytes.asSlice(start, end(index) - start);
    }

    /// The number of bytes of the value.
    public final int byteLength(long index) {
        return (int) (end(index) - start(index));
    }

    /// A copy of one value's bytes.
    final byte[] copyOf(long index) {
        long start = start(index);
        byte[] copy = new byte[Math.toIntExact(end(index) - start)];
        MemorySegment.copy(bytes, JAVA_BYTE, start, copy, 0, copy.length);
        return copy;
    }

    /// The bytes that the offsets point into. Read-only.
    public final MemorySegment dataSegment() {
        return bytes;
    }

    /// The contiguous bytes of all values.
    public final Buffer dataBuffer() {
        return data;
    }

    @Override
    public final long sizeBytes() {
        return validityBytes() + offsetBytes() + extent();
    }

    @Override
    public final void forEachBuffer(Consumer<Buffer> action) {
        super.forEachBuffer(action);
        action.accept(data);
    }
}
