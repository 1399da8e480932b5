package dev.millrace.internal.arrow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.OffsetColumn;
import java.lang.foreign.MemorySegment;

/// A buffer of a batch's body before compression: a view of memory, or generated piece by piece on demand, so that it
/// is never in memory as a whole.
sealed interface BodyPart {
    long bytes();

    /// The bytes starting at `from`, which is a multiple of 8: a view of memory, or written to the start of `scratch`,
    /// which has room for them.
    MemorySegment piece(long from, long length, MemorySegment scratch);

    record InMemory(MemorySegment memory) implements BodyPart {
        @Override
        public long bytes() {
            return memory.byteSize();
        }

        @Override
        public MemorySegment piece(long from, long length, MemorySegment scratch) {
            return memory.asSlice(from, length);
        }
    }

    /// `count` bits starting at `offset`, shifted to the start of a byte.
    record ShiftedBits(MemorySegment bits, long offset, long count) implements BodyPart {
        @Override
        public long bytes() {
            return (count + 7) / 8;
        }

        @Override
        public MemorySegment piece(long from, long length, MemorySegment scratch) {
            int shift = (int) (offset & 7);
            long first = offset / 8 + from;
            long last = (offset + count - 1) / 8;
            for (long i = 0; i < length; i++) {
                int low = bits.get(JAVA_BYTE, first + i) & 0xFF;
                int high = first + i < last ? bits.get(JAVA_BYTE, first + i + 1) & 0xFF : 0;
                scratch.set(JAVA_BYTE, i, (byte) (low >>> shift | high << 8 - shift));
            }
            return scratch.asSlice(0, length);
        }
    }

    /// The offsets of a column of at least one value, rebased to 0 and with another width.
    record RebasedOffsets(OffsetColumn column, int width) implements BodyPart {
        @Override
        public long bytes() {
            return (column.length() + 1) * width;
        }

        @Override
        public MemorySegment piece(long from, long length, MemorySegment scratch) {
            MemorySegment offsets = column.offsets();
            long base = column.first();
            boolean wide = column.offsetWidth() == Long.BYTES;
            long start = from / width;
            for (long i = 0; i < length / width; i++) {
                long offset =
                        (wide ? offsets.getAtIndex(JAVA_LONG, start + i) : offsets.getAtIndex(JAVA_INT, start + i))
                                - base;
                if (width == Long.BYTES) {
                    scratch.setAtIndex(JAVA_LONG, i, offset);
                } else {
                    scratch.setAtIndex(JAVA_INT, i, (int) offset);
                }
            }
            return scratch.asSlice(0, length);
        }
    }
}
