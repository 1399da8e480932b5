package dev.millrace.internal.binary;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Bytes one behind the other in counted memory that grows. Numbers are little-endian. One thread.
public final class GrowingBytes implements AutoCloseable {
    private static final long FIRST_BYTES = 64 << 10;

    private final Allocator allocator;
    private Buffer buffer = Buffer.EMPTY;
    private MemorySegment memory = buffer.segment();
    private long size;

    public GrowingBytes(Allocator allocator) {
        this.allocator = allocator;
    }

    public long size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    /// All bytes; valid until the next call.
    public MemorySegment contents() {
        return memory.asSlice(0, size);
    }

    /// Makes room for `count` more bytes.
    public void reserve(long count) {
        if (memory.byteSize() - size < count) {
            Buffer larger = allocator.allocate(Math.max(FIRST_BYTES, Math.max(memory.byteSize() * 2, size + count)));
            MemorySegment.copy(memory, 0, larger.segment(), 0, size);
            buffer.release();
            buffer = larger;
            memory = larger.segment();
        }
    }

    /// The memory behind the bytes, of at least `count` bytes, for the caller to write to before [#grow].
    public MemorySegment room(long count) {
        reserve(count);
        return memory.asSlice(size);
    }

    /// Takes in what was written to [#room].
    public void grow(long count) {
        size += count;
    }

    public void putByte(int value) {
        reserve(1);
        memory.set(JAVA_BYTE, size++, (byte) value);
    }

    public void putInt(int value) {
        reserve(Integer.BYTES);
        memory.set(JAVA_INT_UNALIGNED, size, value);
        size += Integer.BYTES;
    }

    public void putFloat(float value) {
        reserve(Float.BYTES);
        memory.set(JAVA_FLOAT_UNALIGNED, size, value);
        size += Float.BYTES;
    }

    public void putDouble(double value) {
        reserve(Double.BYTES);
        memory.set(JAVA_DOUBLE_UNALIGNED, size, value);
        size += Double.BYTES;
    }

    /// Seven bits to a byte, the low ones first; numbers near zero are short, whatever their sign.
    public void putZigzag(long value) {
        reserve(10);
        long rest = value << 1 ^ value >> 63;
        while ((rest & ~0x7FL) != 0) {
            memory.set(JAVA_BYTE, size++, (byte) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        memory.set(JAVA_BYTE, size++, (byte) rest);
    }

    public void put(byte[] source) {
        put(MemorySegment.ofArray(source), 0, source.length);
    }

    public void put(MemorySegment source, long from, long count) {
        reserve(count);
        MemorySegment.copy(source, from, memory, size, count);
        size += count;
    }

    @Override
    public void close() {
        buffer.release();
        buffer = Buffer.EMPTY;
        memory = buffer.segment();
        size = 0;
    }
}
