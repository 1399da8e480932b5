package dev.millrace.column;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Builds a [BinaryColumn].
public final class BinaryBuilder extends VariableWidthBuilder {
    /// A builder with an initial capacity of `expected` values; it grows as needed.
    public BinaryBuilder(Allocator allocator, long expected) {
        this(allocator, expected, WIDEN_ABOVE);
    }

    BinaryBuilder(Allocator allocator, long expected, long widenAbove) {
        super(allocator, DataType.BINARY, expected, widenAbove);
    }

    /// Appends a copy of the bytes.
    public void append(byte[] value) {
        append(value, 0, value.length);
    }

    @Override
    public void append(@Nullable Object value) {
        switch (value) {
            case null -> appendNull();
            case byte[] array -> append(array);
            case ByteBuffer buffer -> append(MemorySegment.ofBuffer(buffer), 0, buffer.remaining());
            case MemorySegment segment -> append(segment, 0, segment.byteSize());
            default -> throw JavaValues.misfit(type, value, "a byte[]");
        }
    }

    @Override
    public BinaryColumn build() {
        long nulls = nullCount();
        int width = offsetWidth();
        return new BinaryColumn(length, takeOffsets(), width, takeData(), takeValidity(), 0, nulls);
    }
}
