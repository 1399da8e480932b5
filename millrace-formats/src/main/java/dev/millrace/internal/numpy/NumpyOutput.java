package dev.millrace.internal.numpy;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.stream.Collectors;

/// Writes one column as `.npy` files: an array whose first dimension is the rows.
public record NumpyOutput(String column) implements FileFormat {
    @Override
    public String name() {
        return "Numpy";
    }

    @Override
    public String extension() {
        return "npy";
    }

    @Override
    public void check(Schema schema) {
        Field field = schema.field(schema.require(column, "writeNumpy"));
        if (NumpyType.of(field.type()) == null) {
            String fitting = schema.fields().stream()
                    .filter(other -> NumpyType.of(other.type()) != null)
                    .map(Field::name)
                    .collect(Collectors.joining(", "));
            throw MillraceException.user("writeNumpy: column '" + column + "' is of type " + field.type()
                    + ", and an .npy file holds numbers, booleans, dates, times, durations, tensors and lists of numbers."
                    + (fitting.isEmpty() ? "" : " Such columns are " + fitting + "."));
        }
    }

    @Override
    public Writer open(WritableByteChannel out, Schema schema, Allocator allocator) throws IOException {
        return new NpyWriter(column, schema.type(column), out);
    }
}
