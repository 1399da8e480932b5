package dev.millrace.column;

import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Strings as UTF-8.
public final class StringColumn extends VariableWidthColumn {
    /// A view of buffers in Arrow's layout, which the caller keeps owning.
    ///
    /// @param offsetWidth 4 or 8
    /// @param offset the first value's index in `offsets` and in `validity`
    public StringColumn(
            long length,
            Buffer offsets,
            int offsetWidth,
            Buffer data,
            @Nullable Buffer validity,
            long offset,
            long nullCount) {
        super(DataType.UTF8, length, offsets, offsetWidth, data, validity, offset, nullCount);
    }

    /// A copy of the value; undefined if [#isNull].
    public String get(long index) {
        return new String(copyOf(index), StandardCharsets.UTF_8);
    }

    /// Copies of all values, including nulls.
    public String[] toArray() {
        String[] array = new String[Math.toIntExact(length)];
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
    public StringColumn slice(long from, long count) {
        checkSlice(from, count);
        return new StringColumn(count, offsets, offsetWidth(), data, validity, offset + from, UNKNOWN_NULLS);
    }
}
