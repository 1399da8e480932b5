package dev.millrace.internal.avro;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteAvro;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/// Writes rows as records of Avro object container files.
public record AvroOutput(WriteAvro options) implements FileFormat {
    @Override
    public String name() {
        return "Avro";
    }

    @Override
    public String extension() {
        return "avro";
    }

    @Override
    public void check(Schema schema) {
        for (Field field : schema.fields()) {
            if (!AvroWriteSchema.isName(field.name())) {
                throw MillraceException.user(
                        "writeAvro: '" + field.name() + "' is no name in Avro, which takes letters,"
                                + " digits and _ and no digit first. Rename the column.");
            }
            String misfit = AvroWriteSchema.misfit(field.type());
            if (misfit != null) {
                throw MillraceException.user("writeAvro: column '" + field.name() + "' is of type " + field.type()
                        + ", and Avro has no " + misfit + ". Convert or drop it.");
            }
        }
    }

    @Override
    public Writer open(WritableByteChannel out, Schema schema, Allocator allocator) throws IOException {
        AvroCodec codec = switch (options.codec()) {
            case NULL -> AvroCodec.NULL;
            case DEFLATE -> AvroCodec.DEFLATE;
            case SNAPPY -> AvroCodec.SNAPPY;
            case ZSTANDARD -> AvroCodec.ZSTANDARD;
        };
        return new AvroWriter(out, schema, codec, allocator);
    }
}
