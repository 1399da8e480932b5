package dev.millrace.column;

import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Byte strings.
public final class BinaryColumn extends VariableWidthColumn {
    /// A view of buffers in Arrow's layout, which the caller keeps owning.
    ///
    /// @param offsetWidth 4 or 8
    /// @param offset the first value's index in `offsets` and in `validity`
    public BinaryColumn(
            long length,
            Buffer offsets,
            int offsetWidth,
            Buffer data,
            @Nullable Buffer validity,
            long offset,
            long nullCount) {
        super(DataType.BINARY, length, offsets, offsetWidth, data, validity, offset, nullCount);
    }

    /// A copy of the value; undefined if [#isNull].
    public byte[] get(long index) {
        return copyOf(index);
    }

    /// Copies of all values, including nulls.
    public byte[][] toArray() {
        byte[][] array = new byte[Math.toIntExact(length)][];
        for (int i = 0; i < array.length; i++) {
            array[i] = isNull(i) ? null : get(i);
        }
        return array;
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : get(index);
    }

    @Override
    public BinaryColumn slice(long from, long count) {
        checkSlice(from, count);
        return new BinaryColumn(count, offsets, offsetWidth(), data, validity, offset + from, UNKNOWN_NULLS);
    }
}
