package dev.millrace.internal.webdataset;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.nio.channels.WritableByteChannel;

/// Writes rows as samples of tar archives.
public record WebDatasetOutput() implements FileFormat {
    @Override
    public String name() {
        return "WebDataset";
    }

    @Override
    public String extension() {
        return "tar";
    }

    @Override
    public void check(Schema schema) {
        for (Field field : schema.fields()) {
            String name = field.name();
            if (name.equals(WebDatasetFormat.KEY)) {
                if (!(field.type() instanceof DataType.Utf8)) {
                    throw MillraceException.user("writeWebDataset: the column '" + name + "' is of type " + field.type()
                            + ", and keys of samples are utf8.");
                }
            } else if (name.isEmpty()
                    || name.indexOf('/') >= 0
                    || name.indexOf('\\') >= 0
                    || name.chars().anyMatch(Character::isISOControl)
                    || name.endsWith(".")
                    || name.startsWith(".")) {
                throw MillraceException.user("writeWebDataset: columns are named by the extensions of members, like jpg"
                        + " or seg.png, and '" + name + "' is none. Rename it.");
            } else if (!isWritable(name, field.type())) {
                throw MillraceException.user("writeWebDataset: column '" + name + "' is of type " + field.type()
                        + ". Members are written from bytes, text, numbers and booleans, from tensors if the column's"
                        + " name ends in npy, and from any type if it ends in json. Encode it before the write.");
            }
        }
    }

    private static boolean isWritable(String name, DataType type) {
        return switch (type) {
            case DataType.Binary _,
                    DataType.Utf8 _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Null _ -> true;
            case DataType.Tensor _, DataType.VariableTensor _ ->
                SampledMembers.isLast(name, "npy") || SampledMembers.isLast(name, "json");
            // Types that only JSON can represent.
            default -> SampledMembers.isLast(name, "json");
        };
    }

    @Override
    public Writer open(WritableByteChannel out, Schema schema, Allocator allocator) {
        return new WebDatasetWriter(out, allocator);
    }
}
