package dev.millrace.internal.tfrecord;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.FeedReader;
import dev.millrace.internal.protobuf.ProtobufFields;

/// Walks the fields of a protocol buffer that lies in memory. One is enough for nested messages: [#at] and the ends are
/// the caller's.
final class ProtobufMessage extends ProtobufFields {
    private final TfRecordReader record;

    ProtobufMessage(TfRecordReader record) {
        this.record = record;
    }

    /// Begins with the current record.
    void begin() {
        begin(record.memory(), record.start());
    }

    @Override
    protected MillraceException malformed(String what) {
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
