package dev.millrace.column;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Builds a [BooleanColumn].
public final class BooleanBuilder extends ColumnBuilder {
    private final long expected;
    private Buffer data = Buffer.EMPTY;
    private MemorySegment bits;
    private long capacity;

    /// A builder with room for so many values; it grows beyond.
    public BooleanBuilder(Allocator allocator, long expected) {
        super(allocator, DataType.BOOL);
        this.expected = expected;
        use(data);
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
    public void append(Object value) {
        if (value == null) {
            appendNull();
        } else {
            append(JavaValues.toBoolean(type, value));
        }
    }

    private void reserve() {
        if (length == capacity) {
            use(grow(data, data.size(), capacity == 0 ? Math.max(64, (expected + 7) / 8) : data.size() * 2));
        }
    }

    private void use(Buffer buffer) {
        data = buffer;
        bits = buffer.segment();
        capacity = bits.byteSize() * 8;
    }

    @Override
    public BooleanColumn build() {
        long nulls = nullCount();
        BooleanColumn column = new BooleanColumn(length, data, takeValidity(), 0, nulls);
        data = null;
        return column;
    }

    @Override
    public long sizeBytes() {
        return (length + 7) / 8 + validityBytes();
    }

    @Override
    public void close() {
        super.close();
        if (data != null) {
            data.release();
            data = null;
        }
    }
}
