package dev.millrace.internal.arrow;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Reads memory (a memory-mapped file, bytes of another process) without copying: the returned buffers are views that
/// each hold a reference to the memory. Only misaligned bytes are copied.
final class MemoryInput implements IpcInput {
    private static final int ALIGNMENT = 8;

    private final String name;
    private final Buffer memory;
    private final Allocator allocator;
    private final long end;
    private long position;

    /// Reads `memory` from `from` to `end`; keeps no reference of its own.
    MemoryInput(String name, Buffer memory, long from, long end, Allocator allocator) {
        this.name = name;
        this.memory = memory;
        this.allocator = allocator;
        this.position = from;
        this.end = end;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public ByteBuffer metadata(int length, boolean mayEnd) {
        long there = Math.min(length, end - position);
        if (there < length && !mayEnd) {
            throw ArrowErrors.truncated(this, length, there);
        }
        byte[] bytes = new byte[(int) there];
        MemorySegment.copy(memory.segment(), position, MemorySegment.ofArray(bytes), 0, there);
        position += there;
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public Buffer take(long length) {
        MemorySegment bytes = memory.segment().asSlice(advance(length), length);
        if (!bytes.isNative() || bytes.address() % ALIGNMENT != 0) {
            Buffer copy = allocator.allocate(length);
            copy.segment().copyFrom(bytes);
            return copy;
        }
        return Buffer.part(memory, bytes);
    }

    @Override
    public void skip(long length) {
        advance(length);
    }

    private long advance(long length) {
        if (length > end - position) {
            throw ArrowErrors.truncated(this, length, end - position);
        }
        long from = position;
        position += length;
        return from;
    }
}
