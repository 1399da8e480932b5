package dev.millrace.column;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Builds a [FixedWidthColumn]. Values of null rows are zero.
public abstract sealed class FixedWidthBuilder extends ColumnBuilder
        permits ByteBuilder,
                DecimalBuilder,
                DoubleBuilder,
                FloatBuilder,
                HalfBuilder,
                IntBuilder,
                LongBuilder,
                ShortBuilder,
                TensorBuilder {
    final int byteWidth;
    /// The memory of `data`; values from `length` on are undefined.
    MemorySegment values;
    /// The number of values that fit `data`.
    long capacity;

    private static final int MIN_BYTES = 1 << 10;

    private final GrowingBuffer data;

    FixedWidthBuilder(Allocator allocator, DataType type, int byteWidth, long expected) {
        super(allocator, type);
        this.byteWidth = byteWidth;
        long first = Math.max(Math.clamp(MIN_BYTES / Math.max(1, byteWidth), 1, 8), expected);
        this.data = new GrowingBuffer(allocator, first * byteWidth);
        this.values = data.memory();
        this.capacity = byteWidth == 0 ? Long.MAX_VALUE / 4 : 0;
    }

    /// Makes room for `count` more values.
    public final void reserve(long count) {
        if (length + count > capacity) {
            growData(length + count);
        }
    }

    @Override
    public final void appendNull() {
        reserve(1);
        markNull();
        values.asSlice(length * byteWidth, byteWidth).fill((byte) 0);
        length++;
    }

    /// Appends `count` values of `source` in stored form.
    public final void appendStored(MemorySegment source, long from, long count) {
        reserve(count);
        markValid(count);
        MemorySegment.copy(source, from * byteWidth, values, length * byteWidth, count * byteWidth);
        length += count;
    }

    /// Adds values that the caller writes into the returned memory.
    final MemorySegment addUninitialised(long count) {
        reserve(count);
        markValid(count);
        MemorySegment memory = values.asSlice(length * byteWidth, count * byteWidth);
        length += count;
        return memory;
    }

    final void growData(long atLeast) {
        data.size(length * byteWidth);
        values = data.reserveTotal(atLeast * byteWidth);
        capacity = data.capacity() / byteWidth;
    }

    /// The buffer, without the memory reserved beyond the values.
    final Buffer takeData() {
        values = MemorySegment.NULL;
        return data.take().trim(length * byteWidth);
    }

    @Override
    public final long sizeBytes() {
        return length * byteWidth + validityBytes();
    }

    @Override
    public final void close() {
        super.close();
        data.close();
    }
}
