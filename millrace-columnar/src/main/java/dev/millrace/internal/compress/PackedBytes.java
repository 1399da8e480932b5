package dev.millrace.internal.compress;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Compressed bytes to be decoded, in memory or in a file. Access beyond their end throws [IndexOutOfBoundsException].
public interface PackedBytes {
    long size();

    /// A little-endian int.
    int intAt(long at);

    byte byteAt(long at);

    void copy(long at, byte[] to, int toAt, int length);

    static PackedBytes of(MemorySegment memory) {
        return new InMemory(memory);
    }

    record InMemory(MemorySegment memory) implements PackedBytes {
        @Override
        public long size() {
            return memory.byteSize();
        }

        @Override
        public int intAt(long at) {
            return memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
        }

        @Override
        public byte byteAt(long at) {
            return memory.get(JAVA_BYTE, at);
        }

        @Override
        public void copy(long at, byte[] to, int toAt, int length) {
            MemorySegment.copy(memory, JAVA_BYTE, at, to, toAt, length);
        }
    }
}
