package dev.millrace.internal.parquet.encode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Counted memory that grows at its end. Behind what it holds there is always room for [#SLACK] bytes, so that short
/// values are written in whole words. One thread.
public final class GrowingMemory implements AutoCloseable {
    /// Bytes behind the end that may be written, with no meaning.
    public static final int SLACK = 16;

    private static final int SMALLEST = 1 << 10;
    /// Pages and dictionaries tell their sizes in 31 bits.
    private static final long LARGEST = Integer.MAX_VALUE - 64;

    private final Allocator allocator;
    private Buffer buffer;
    private MemorySegment memory = MemorySegment.NULL;
    private long room;
    private long size;

    public GrowingMemory(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Makes room for so many bytes more and answers the memory, which may be another than before.
    public MemorySegment reserve(long more) {
        if (size + more > room) {
            grow(size + more);
        }
        return memory;
    }

    private void grow(long needed) {
        if (needed > LARGEST) {
            throw MillraceException.data("A page of a Parquet file cannot hold " + needed
                    + " bytes, and the values of one row of a column lie in one page. Write shorter lists or strings.");
        }
        long wanted = Math.min(LARGEST, Math.max(Math.max(needed, 2 * room), SMALLEST));
        Buffer larger = allocator.allocate(wanted + SLACK);
        MemorySegment.copy(memory, 0, larger.segment(), 0, size);
        if (buffer != null) {
            buffer.release();
        }
        buffer = larger;
        memory = larger.segment();
        room = wanted;
    }

    public MemorySegment memory() {
        return memory;
    }

    /// Exactly what it holds.
    public MemorySegment contents() {
        return memory.asSlice(0, size);
    }

    public long size() {
        return size;
    }

    /// Moves the end, within what was reserved.
    public void size(long bytes) {
        size = bytes;
    }

    public void clear() {
        size = 0;
    }

    public long heldBytes() {
        return buffer == null ? 0 : buffer.heldBytes();
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

    public void putVarint(long value) {
        long left = value;
        while ((left & ~0x7FL) != 0) {
            putByte((int) (left & 0x7F | 0x80));
            left >>>= 7;
        }
        putByte((int) left);
    }

    public void putZigzag(long value) {
        putVarint(value << 1 ^ value >> 63);
    }

    public void put(MemorySegment source, long from, long length) {
        MemorySegment.copy(source, from, reserve(length), size, length);
        size += length;
    }

    public void put(byte[] source, int length) {
        MemorySegment.copy(source, 0, reserve(length), JAVA_BYTE, size, length);
        size += length;
    }

    /// Copies a short byte string to `target` in words, reading nothing outside of it and writing up to seven bytes
    /// more.
    static void copy(MemorySegment source, long from, int length, MemorySegment memory, long target) {
        if (length > 64) {
            MemorySegment.copy(source, from, memory, target, length);
        } else if (length >= 8) {
            int last = length - 8;
            for (int i = 0; i < last; i += 8) {
                memory.set(JAVA_LONG_UNALIGNED, target + i, source.get(JAVA_LONG_UNALIGNED, from + i));
            }
            memory.set(JAVA_LONG_UNALIGNED, target + last, source.get(JAVA_LONG_UNALIGNED, from + last));
        } else if (length > 0) {
            memory.set(JAVA_LONG_UNALIGNED, target, ByteStrings.word(source, from, length));
        }
    }

    @Override
    public void close() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
            memory = MemorySegment.NULL;
            room = 0;
            size = 0;
        }
    }
}
