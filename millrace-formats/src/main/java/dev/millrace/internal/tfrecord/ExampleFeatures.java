package dev.millrace.internal.tfrecord;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Iterates over the features of the `tf.train.Example` in the current record.
final class ExampleFeatures {
    /// Receives each feature.
    interface Visitor {
        /// @param from,to the range of the value list in the message's memory
        /// @param kind null for a feature without values, which has no list
        void feature(long nameFrom, long nameTo, @Nullable FeatureKind kind, long from, long to);
    }

    private final TfRecordReader record;
    private final ProtobufMessage message;

    ExampleFeatures(TfRecordReader record) {
        this.record = record;
        this.message = new ProtobufMessage(record);
    }

    ProtobufMessage message() {
        return message;
    }

    String text(long from, long to) {
        byte[] bytes = new byte[(int) (to - from)];
        MemorySegment.copy(message.memory(), JAVA_BYTE, from, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    void visit(Visitor visitor) {
        message.begin();
        long end = message.at + record.length();
        // Example { Features features = 1; } Features { map<string, Feature> feature = 1; }
        while (message.at < end) {
            long tag = message.varint(end);
            if (tag == (1 << 3 | ProtobufMessage.BYTES)) {
                features(visitor, message.lengthEnd(end));
            } else {
                skip(tag, end);
            }
        }
    }

    private void features(Visitor visitor, long end) {
        while (message.at < end) {
            long tag = message.varint(end);
            if (tag == (1 << 3 | ProtobufMessage.BYTES)) {
                entry(visitor, message.lengthEnd(end));
            } else {
                skip(tag, end);
            }
        }
    }

    private void entry(Visitor visitor, long end) {
        long nameFrom = message.at;
        long nameTo = message.at;
        long valueFrom = message.at;
        long valueTo = message.at;
        while (message.at < end) {
            long tag = message.varint(end);
            if (tag == (1 << 3 | ProtobufMessage.BYTES)) {
                nameTo = message.lengthEnd(end);
                nameFrom = message.at;
                message.at = nameTo;
            } else if (tag == (2 << 3 | ProtobufMessage.BYTES)) {
                valueTo = message.lengthEnd(end);
                valueFrom = message.at;
                message.at = valueTo;
            } else {
                skip(tag, end);
            }
        }
        message.at = valueFrom;
        FeatureKind kind = null;
        long from = valueFrom;
        long to = valueFrom;
        while (message.at < valueTo) {
            long tag = message.varint(valueTo);
            FeatureKind found = (tag & 7) == ProtobufMessage.BYTES ? FeatureKind.ofField(tag >>> 3) : null;
            if (found == null) {
                skip(tag, valueTo);
            } else {
                kind = found;
                to = message.lengthEnd(valueTo);
                from = message.at;
                message.at = to;
            }
        }
        visitor.feature(nameFrom, nameTo, kind, from, to);
        message.at = end;
    }

    private void skip(long tag, long end) {
        if (tag >>> 3 == 0) {
            throw message.malformed("a field has the number 0");
        }
        message.skip((int) (tag & 7), end);
    }
}
