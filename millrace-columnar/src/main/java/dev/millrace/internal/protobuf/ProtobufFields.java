package dev.millrace.internal.protobuf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Iterates over the fields of a protocol buffer in memory. One instance is enough for nested messages: the caller
/// keeps the position [#at] and the ends of messages. One thread.
public abstract class ProtobufFields {
    public static final int VARINT = 0;
    public static final int FIXED64 = 1;
    public static final int BYTES = 2;
    public static final int FIXED32 = 5;

    private MemorySegment memory = MemorySegment.NULL;
    /// The position in [#memory] of the next byte.
    public long at;

    /// Starts at a position of a message in memory.
    protected final void begin(MemorySegment message, long from) {
        memory = message;
        at = from;
    }

    public final MemorySegment memory() {
        return memory;
    }

    /// The varint at the current position.
    ///
    /// @param end the end of the message
    public final long varint(long end) {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at >= end) {
                throw malformed("a number is cut off");
            }
            byte piece = memory.get(JAVA_BYTE, at++);
            value |= (long) (piece & 0x7F) << shift;
            if (piece >= 0) {
                return value;
            }
        }
        throw malformed("a number has more than ten bytes");
    }

    /// The end of the length-delimited field at the current position, which moves past the length.
    public final long lengthEnd(long end) {
        long length = varint(end);
        if (length < 0 || length > end - at) {
            throw malformed("a field of " + Long.toUnsignedString(length) + " bytes is longer than what is left");
        }
        return at + length;
    }

    /// Skips a field.
    public final void skip(int wireType, long end) {
        switch (wireType) {
            case VARINT -> varint(end);
            case FIXED64 -> pass(8, end);
            case FIXED32 -> pass(4, end);
            case BYTES -> at = lengthEnd(end);
            default -> throw malformed("a field has the unknown wire type " + wireType);
        }
    }

    private void pass(int count, long end) {
        if (end - at < count) {
            throw malformed("a number is cut off");
        }
        at += count;
    }

    /// The error for bytes that are not such a message.
    protected abstract RuntimeException malformed(String what);
}
