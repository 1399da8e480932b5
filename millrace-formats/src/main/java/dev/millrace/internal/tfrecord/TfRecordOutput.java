package dev.millrace.internal.tfrecord;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes rows as examples of a TFRecord file, or the bytes of one column as its records.
///
/// @param raw the column that contains the records; null if each row is an example
public record TfRecordOutput(@Nullable String raw) implements FileFormat {
    static final List<String> ENDINGS = List.of(".tfrecords", ".tfrecord");

    @Override
    public String name() {
        return "TfRecords";
    }

    @Override
    public String extension() {
        return "tfrecords";
    }

    @Override
    public List<String> endings() {
        return ENDINGS;
    }

    @Override
    public void check(Schema schema) {
        if (raw != null) {
            DataType type = schema.field(schema.require(raw, "writeTfRecords")).type();
            if (!(type instanceof DataType.Binary || type instanceof DataType.Utf8)) {
                throw MillraceException.user("writeTfRecords: records are written from a column of bytes, and '" + raw
                        + "' is of type " + type + ".");
            }
            return;
        }
        for (Field field : schema.fields()) {
            if (FeatureKind.writtenAs(field.type()) == null) {
                throw MillraceException.user("writeTfRecords: column '" + field.name() + "' is of type " + field.type()
                        + ", and a feature holds numbers, booleans, text, bytes, tensors, or lists of one of them."
                        + " Convert or drop it.");
            }
        }
    }

    @Override
    public Writer open(WritableByteChannel out, Schema schema, Allocator allocator) {
        return new TfRecordWriter(out, raw, allocator);
    }
}
