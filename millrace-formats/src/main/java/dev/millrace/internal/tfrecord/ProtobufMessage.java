package dev.millrace.internal.tfrecord;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.FeedReader;
import dev.millrace.internal.protobuf.ProtobufFields;

/// Iterates over the fields of a protocol buffer in memory. One instance serves nested messages: the caller keeps [#at]
/// and the ends.
final class ProtobufMessage extends ProtobufFields {
    private final TfRecordReader record;

    ProtobufMessage(TfRecordReader record) {
        this.record = record;
    }

    /// Starts with the current record.
    void begin() {
        begin(record.memory(), record.start());
    }

    @Override
    protected MillraceException malformed(String what) {
        return at("record " + record.number() + " is no tf.train.Example: " + what
                + ". Read records of other messages with ReadTfRecords.raw()");
    }

    /// An error: the message is well-formed, but does not contain what it should.
    MillraceException unfit(String what) {
        return at("in record " + record.number() + ", " + what);
    }

    private MillraceException at(String what) {
        FeedReader in = record.in();
        return in.malformed(in.position() + at - record.start(), what);
    }
}
