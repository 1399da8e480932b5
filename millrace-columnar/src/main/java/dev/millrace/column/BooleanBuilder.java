package dev.millrace.column;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Builds a [BooleanColumn].
public final class BooleanBuilder extends ColumnBuilder {
    private final GrowingBuffer data;
    private MemorySegment bits;
    private long capacity;

    /// A builder with an initial capacity of `expected` values; it grows as needed.
    public BooleanBuilder(Allocator allocator, long expected) {
        super(allocator, DataType.BOOL);
        this.data = new GrowingBuffer(allocator, Math.max(64, (expected + 7) / 8));
        this.bits = data.memory();
    }

    /// Appends a value.
    public void append(boolean value) {
        reserve();
        markValid();
        Bits.set(bits, length++, value);
    }

    @Override
    public void appendNull() {
        reserve();
        markNull();
        Bits.set(bits, length++, false);
    }

    @Override
    public void append(@Nullable Object value) {
        if (value == null) {
            appendNull();
        } else {
            append(JavaValues.toBoolean(type, value));
        }
    }

    private void reserve() {
        if (length == capacity) {
            data.size(data.capacity());
            bits = data.reserve(1);
            capacity = data.capacity() * 8;
        }
    }

    @Override
    public BooleanColumn build() {
        long nulls = nullCount();
        return new BooleanColumn(length, data.take(), takeValidity(), 0, nulls);
    }

    @Override
    public long sizeBytes() {
        return (length + 7) / 8 + validityBytes();
    }

    @Override
    public void close() {
        super.close();
        data.close();
    }
}
