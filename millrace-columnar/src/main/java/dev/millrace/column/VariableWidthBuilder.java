package dev.millrace.column;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Builds a [VariableWidthColumn].
public abstract sealed class VariableWidthBuilder extends OffsetBuilder permits BinaryBuilder, StringColumnBuilder {
    /// The memory of `data`; bytes from `end` on are undefined.
    MemorySegment bytes;
    /// The start of the next value.
    long end;

    private final GrowingBuffer data;

    VariableWidthBuilder(Allocator allocator, DataType type, long expected, long widenAbove) {
        super(allocator, type, expected, widenAbove);
        data = new GrowingBuffer(allocator, Math.max(64, expected * 16));
        bytes = data.memory();
    }

    /// Appends `count` bytes of `source` unchanged (for strings: UTF-8, which is not checked).
    public final void append(byte[] source, int from, int count) {
        reserveBytes(count);
        markValid();
        MemorySegment.copy(source, from, bytes, JAVA_BYTE, end, count);
        end += count;
        endAt(end);
    }

    /// Appends `count` bytes of `source` unchanged (for strings: UTF-8, which is not checked).
    public final void append(MemorySegment source, long from, long count) {
        reserveBytes(count);
        markValid();
        MemorySegment.copy(source, from, bytes, end, count);
        end += count;
        endAt(end);
    }

    /// Adds bytes to the current value, which [#endValue] ends: for long values that arrive in pieces.
    public final void add(MemorySegment source, long from, long count) {
        reserveBytes(count);
        MemorySegment.copy(source, from, bytes, end, count);
        end += count;
    }

    /// Ends the value whose bytes were passed to [#add]; without any it is empty.
    public final void endValue() {
        markValid();
        endAt(end);
    }

    /// The number of bytes appended so far, including those of a value that is not ended.
    public final long byteCount() {
        return end;
    }

    /// The bytes starting at `from`, counted as in [#byteCount]; valid until the next call.
    public final MemorySegment bytesFrom(long from) {
        return bytes.asSlice(from, end - from);
    }

    @Override
    public final void appendNull() {
        markNull();
        endAt(end);
    }

    @Override
    public final void truncate(long values) {
        super.truncate(values);
        end = startOf(values);
    }

    /// Makes room for `count` more bytes.
    public final void reserveBytes(long count) {
        if (end + count > bytes.byteSize()) {
            data.size(end);
            bytes = data.reserve(count);
        }
    }

    /// The same without reserving more than that: for known sizes.
    public final void reserveExactly(long count) {
        if (end + count > bytes.byteSize()) {
            data.size(end);
            bytes = data.reserveExactly(count);
        }
    }

    /// The buffer, without the memory reserved beyond the values.
    final Buffer takeData() {
        bytes = MemorySegment.NULL;
        return data.take().trim(end);
    }

    @Override
    public final long sizeBytes() {
        return validityBytes() + offsetBytes() + end;
    }

    @Override
    public final void close() {
        super.close();
        data.close();
    }
}
