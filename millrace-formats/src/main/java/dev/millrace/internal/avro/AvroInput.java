package dev.millrace.internal.avro;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.FeedReader;
import java.lang.foreign.MemorySegment;

/// The bytes of one block, decompressed, read field by field. One thread.
final class AvroInput {
    /// The maximum number of zero-byte elements: a count of these is not bounded by the size of the data.
    private static final long MAX_EMPTY = 1 << 20;

    private final FeedReader file;
    private MemorySegment memory = MemorySegment.NULL;
    private long at;
    private long end;
    private long block;

    AvroInput(FeedReader file) {
        this.file = file;
    }

    /// @param position of the block in the file, for errors
    void begin(MemorySegment data, long from, long to, long position) {
        memory = data;
        at = from;
        end = to;
        block = position;
    }

    MemorySegment memory() {
        return memory;
    }

    long left() {
        return end - at;
    }

    boolean readBoolean() {
        return next() != 0;
    }

    private byte next() {
        if (at >= end) {
            throw cut();
        }
        return memory.get(JAVA_BYTE, at++);
    }

    /// A zigzag varint.
    long readLong() {
        byte piece = next();
        long value = piece & 0x7F;
        for (int shift = 7; piece < 0; shift += 7) {
            if (shift > 63) {
                throw malformed("a number has more than ten bytes");
            }
            piece = next();
            value |= (long) (piece & 0x7F) << shift;
        }
        return value >>> 1 ^ -(value & 1);
    }

    int readInt() {
        long value = readLong();
        if (value != (int) value) {
            throw malformed(value + " is no int");
        }
        return (int) value;
    }

    float readFloat() {
        long from = pass(Float.BYTES);
        return memory.get(JAVA_FLOAT_UNALIGNED, from);
    }

    double readDouble() {
        long from = pass(Double.BYTES);
        return memory.get(JAVA_DOUBLE_UNALIGNED, from);
    }

    /// Reads a length and skips that many bytes, which end at [#position].
    ///
    /// @return the length
    long readLength() {
        long length = readLong();
        if (length < 0) {
            throw malformed("a value has the length " + length);
        }
        pass(length);
        return length;
    }

    long position() {
        return at;
    }

    /// Skips bytes.
    ///
    /// @return the position of the first skipped byte
    long pass(long count) {
        if (count > end - at) {
            throw cut();
        }
        long from = at;
        at += count;
        return from;
    }

    /// The number of elements that follow in an array or map; 0 at its end.
    ///
    /// @param least the minimum number of bytes of each
    long readCount(int least) {
        long count = readLong();
        if (count < 0) {
            count = -count;
            // The size of the elements in bytes, which allows to skip them.
            readLong();
        }
        if (count < 0 || count > (least == 0 ? MAX_EMPTY : left() / least)) {
            throw malformed(
                    "an array or map of " + Long.toUnsignedString(count) + " elements is longer than the block");
        }
        return count;
    }

    private MillraceException cut() {
        return malformed("a value goes over its end");
    }

    MillraceException malformed(String what) {
        return file.malformed(block, "the block that begins here cannot be read: " + what);
    }
}
