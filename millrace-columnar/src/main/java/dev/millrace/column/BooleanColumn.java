package dev.millrace.column;

import dev.millrace.internal.lifetime.Lifetimes;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Booleans, one bit each (see [Bits]).
public final class BooleanColumn extends Column {
    private final Buffer data;
    private final MemorySegment bits;

    /// A view of buffers in Arrow's layout, which the caller keeps owning.
    ///
    /// @param offset the first value's bit in `data` and in `validity`
    public BooleanColumn(long length, Buffer data, @Nullable Buffer validity, long offset, long nullCount) {
        super(DataType.BOOL, length, validity, offset, nullCount);
        this.data = data;
        this.bits = data.seal().segment();
    }

    /// The value; undefined if [#isNull].
    public boolean get(long index) {
        if (Lifetimes.CHECKED) {
            checkAlive();
        }
        return Bits.get(bits, validityOffset + index);
    }

    /// True if the value is not null and true, which is what a filter keeps.
    public boolean isTrue(long index) {
        return get(index) && !isNull(index);
    }

    /// A copy of the values; null values are undefined.
    public boolean[] toArray() {
        boolean[] array = new boolean[Math.toIntExact(length)];
        for (int i = 0; i < array.length; i++) {
            array[i] = get(i);
        }
        return array;
    }

    /// The bits of the values, starting at [#offset]. Read-only.
    public Buffer dataBuffer() {
        return data;
    }

    /// The first value's bit in [#dataBuffer].
    public long offset() {
        return validityOffset;
    }

    @Override
    public @Nullable Object value(long index) {
        return isNull(index) ? null : get(index);
    }

    @Override
    public BooleanColumn slice(long from, long count) {
        checkSlice(from, count);
        return new BooleanColumn(count, data, validity, validityOffset + from, UNKNOWN_NULLS);
    }

    @Override
    public long sizeBytes() {
        return (length + 7) / 8 + validityBytes();
    }

    @Override
    public void forEachBuffer(Consumer<Buffer> action) {
        super.forEachBuffer(action);
        action.accept(data);
    }
}
