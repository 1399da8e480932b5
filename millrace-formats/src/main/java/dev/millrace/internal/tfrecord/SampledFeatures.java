package dev.millrace.internal.tfrecord;

import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Schema inference from the first records of a file: a feature that always has one value is a plain column, others are
/// lists.
final class SampledFeatures {
    private static final int MAX_RECORDS = 1_000;
    private static final long MAX_BYTES = 16 << 20;

    private static final class Seen {
        /// Null if the feature had no values so far.
        @Nullable
        FeatureKind kind;

        boolean several;
    }

    private final Map<String, Seen> features = new LinkedHashMap<>();

    static Schema of(TfRecordReader records, Map<String, DataType> given) throws IOException {
        SampledFeatures sample = new SampledFeatures();
        ExampleFeatures examples = new ExampleFeatures(records);
        long bytes = 0;
        for (int i = 0; i < MAX_RECORDS && bytes < MAX_BYTES && records.next(); i++) {
            bytes += records.length();
            examples.visit((nameFrom, nameTo, kind, from, to) -> {
                Seen seen = sample.features.computeIfAbsent(examples.text(nameFrom, nameTo), _ -> new Seen());
                if (kind != null && from < to) {
                    if (seen.kind != null && seen.kind != kind) {
                        throw examples.message()
                                .unfit("feature '" + examples.text(nameFrom, nameTo) + "' is a list of " + kind.type()
                                        + ", and in a record before it was one of " + seen.kind.type());
                    }
                    seen.kind = kind;
                    seen.several |= !isSingle(examples.message(), kind, from, to);
                }
            });
        }
        List<Field> fields = new ArrayList<>();
        sample.features.forEach((name, seen) -> fields.add(new Field(name, given.getOrDefault(name, seen(seen)))));
        given.forEach((name, type) -> {
            if (!sample.features.containsKey(name)) {
                fields.add(new Field(name, type));
            }
        });
        return Schema.of(fields);
    }

    private static DataType seen(Seen seen) {
        return seen.kind == null ? DataType.NULL : seen.several ? DataType.list(seen.kind.type()) : seen.kind.type();
    }

    private static boolean isSingle(ProtobufMessage message, FeatureKind kind, long from, long to) {
        message.at = from;
        int values = 0;
        while (message.at < to && values < 2) {
            long tag = message.varint(to);
            int wire = (int) (tag & 7);
            if (tag >>> 3 != 1) {
                message.skip(wire, to);
            } else if (wire == ProtobufMessage.BYTES && kind != FeatureKind.BYTES) {
                long end = message.lengthEnd(to);
                while (message.at < end && values < 2) {
                    message.skip(kind == FeatureKind.FLOAT ? ProtobufMessage.FIXED32 : ProtobufMessage.VARINT, end);
                    values++;
                }
            } else {
                message.skip(wire, to);
                values++;
            }
        }
        return values == 1;
    }
}
