package dev.millrace.internal.tfrecord;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.FeedReader;
import java.lang.foreign.MemorySegment;

/// Walks the fields of a protocol buffer that lies in memory. One is enough for nested messages: [#at] and the ends are
/// the caller's.
final class ProtobufMessage {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    private final TfRecordReader record;
    private MemorySegment memory;
    long at;

    ProtobufMessage(TfRecordReader record) {
        this.record = record;
    }

    /// Begins with the current record.
    void begin() {
        memory = record.memory();
        at = record.start();
    }

    MemorySegment memory() {
        return memory;
    }

    long varint(long end) {
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

    /// The end of the field with a length that begins here.
    long lengthEnd(long end) {
        long length = varint(end);
        if (length < 0 || length > end - at) {
            throw malformed("a field of " + Long.toUnsignedString(length) + " bytes is longer than what is left");
        }
        return at + length;
    }

    void skip(int wireType, long end) {
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

    MillraceException malformed(String what) {
        return at("record " + record.number() + " is no tf.train.Example: " + what
                + ". Read records of other messages with ReadTfRecords.raw()");
    }

    /// The message is well-formed, but not what it should hold.
    MillraceException unfit(String what) {
        return at("in record " + record.number() + ", " + what);
    }

    private MillraceException at(String what) {
        FeedReader in = record.in();
        return in.malformed(in.position() + at - record.start(), what);
    }
}
