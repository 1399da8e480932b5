package dev.millrace.internal.buffer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// A growable buffer in accounted memory. Its first [#size] bytes are its contents, which move when it grows; the bytes
/// after them are undefined unless its [Growth] says otherwise. Allocates nothing before the first byte. Numbers are
/// little-endian. One thread.
///
/// Loops that write much call [#reserve] once, write into the returned memory, and then set the new [#size].
public final class GrowingBuffer implements AutoCloseable {
    /// The maximum number of bytes that [#putVarint] writes.
    public static final int MAX_VARINT_BYTES = 10;

    private final Allocator allocator;
    private final Growth growth;
    private Buffer buffer = Buffer.EMPTY;
    private MemorySegment memory = Buffer.EMPTY.segment();
    /// The capacity without growing, excluding the slack.
    private long capacity;
    private long size;

    public GrowingBuffer(Allocator allocator, Growth growth) {
        this.allocator = allocator;
        this.growth = growth;
    }

    public GrowingBuffer(Allocator allocator, long firstBytes) {
        this(allocator, Growth.from(firstBytes));
    }

    /// Ensures room for this many more bytes and returns the whole memory, which may have moved.
    public MemorySegment reserve(long more) {
        if (more > capacity - size) {
            grow(size + more);
        }
        return memory;
    }

    /// Ensures a total capacity of this many bytes and returns the whole memory, which may have moved.
    public MemorySegment reserveTotal(long bytes) {
        if (bytes > capacity) {
            grow(bytes);
        }
        return memory;
    }

    /// Ensures room for this many more bytes without doubling the capacity: for known sizes.
    public MemorySegment reserveExactly(long more) {
        if (more > capacity - size) {
            resize(growth.exactly(size + more));
        }
        return memory;
    }

    private void grow(long needed) {
        resize(growth.next(capacity, needed));
    }

    private void resize(long next) {
        long bytes = next + growth.slackBytes();
        Buffer larger = growth.zeroed() ? allocator.allocateZeroed(bytes) : allocator.allocate(bytes);
        MemorySegment.copy(memory, 0, larger.segment(), 0, size);
        Buffer old = buffer;
        buffer = larger;
        memory = larger.segment();
        capacity = next;
        old.release();
    }

    /// The whole memory, valid until the next call that may grow it.
    public MemorySegment memory() {
        return memory;
    }

    /// The contents, valid until the next call that may grow it.
    public MemorySegment contents() {
        return memory.asSlice(0, size);
    }

    /// At least `count` bytes of memory after the contents, for the caller to write before [#advance].
    public MemorySegment room(long count) {
        return reserve(count).asSlice(size, capacity - size);
    }

    /// Adds the bytes that were written after the contents.
    public void advance(long count) {
        size += count;
    }

    public long size() {
        return size;
    }

    /// Sets the size, within the reserved capacity.
    public void size(long bytes) {
        size = bytes;
    }

    public void clear() {
        size = 0;
    }

    /// The capacity without growing.
    public long capacity() {
        return capacity;
    }

    /// The number of bytes charged to the account.
    public long heldBytes() {
        return buffer.heldBytes();
    }

    public void putByte(int value) {
        reserve(1).set(JAVA_BYTE, size++, (byte) value);
    }

    public void putInt(int value) {
        reserve(Integer.BYTES).set(JAVA_INT_UNALIGNED, size, value);
        size += Integer.BYTES;
    }

    public void putLong(long value) {
        reserve(Long.BYTES).set(JAVA_LONG_UNALIGNED, size, value);
        size += Long.BYTES;
    }

    public void putFloat(float value) {
        reserve(Float.BYTES).set(JAVA_FLOAT_UNALIGNED, size, value);
        size += Float.BYTES;
    }

    public void putDouble(double value) {
        reserve(Double.BYTES).set(JAVA_DOUBLE_UNALIGNED, size, value);
        size += Double.BYTES;
    }

    /// Writes a varint: seven bits per byte, the low ones first.
    public void putVarint(long value) {
        MemorySegment to = reserve(MAX_VARINT_BYTES);
        long at = size;
        long left = value;
        while ((left & ~0x7FL) != 0) {
            to.set(JAVA_BYTE, at++, (byte) (left & 0x7F | 0x80));
            left >>>= 7;
        }
        to.set(JAVA_BYTE, at++, (byte) left);
        size = at;
    }

    /// The number of bytes that [#putVarint] writes.
    public static int varintSize(long value) {
        return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }

    /// Writes a zigzag varint, in which numbers near zero are short for either sign.
    public void putZigzag(long value) {
        putVarint(value << 1 ^ value >> 63);
    }

    public void put(byte[] source) {
        put(source, source.length);
    }

    /// Appends the first `count` bytes.
    public void put(byte[] source, int count) {
        MemorySegment.copy(source, 0, reserve(count), JAVA_BYTE, size, count);
        size += count;
    }

    public void put(MemorySegment source, long from, long count) {
        MemorySegment.copy(source, from, reserve(count), size, count);
        size += count;
    }

    /// Returns the buffer with the contents and the reserved memory after them; the caller owns it, and this is empty.
    public Buffer take() {
        Buffer taken = buffer;
        buffer = Buffer.EMPTY;
        memory = buffer.segment();
        capacity = 0;
        size = 0;
        return taken;
    }

    /// Releases the memory; this can then be used again from empty.
    @Override
    public void close() {
        take().release();
    }
}
