package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Builds a [LongColumn].
public final class LongBuilder extends ColumnBuilder {
    private Buffer data;
    private MemorySegment values;
    private long capacity;

    public LongBuilder(Allocator allocator, DataType type, long expected) {
        super(allocator, type);
        data = allocator.allocate(Math.max(8, expected) * Long.BYTES);
        values = data.segment();
        capacity = values.byteSize() / Long.BYTES;
    }

    public void append(long value) {
        if (length == capacity) {
            growData();
        }
        markValid();
        values.setAtIndex(JAVA_LONG, length++, value);
    }

    @Override
    public void appendNull() {
        if (length == capacity) {
            growData();
        }
        markNull();
        values.setAtIndex(JAVA_LONG, length++, 0L);
    }

    @Override
    public void append(Object value) {
        if (value == null) {
            appendNull();
        } else {
            append(JavaValues.toLong(type, value));
        }
    }

    private void growData() {
        data = grow(data, data.size() * 2);
        values = data.segment();
        capacity = values.byteSize() / Long.BYTES;
    }

    @Override
    public LongColumn build() {
        long nulls = nullCount();
        LongColumn column = new LongColumn(type, length, data, takeValidity(), 0, nulls);
        data = null;
        return column;
    }

    @Override
    public long sizeBytes() {
        return length * Long.BYTES + (nullCount() == 0 ? 0 : (length + 7) / 8);
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
