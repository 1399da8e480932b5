package dev.millrace.internal.images.write;

import dev.millrace.block.Block;
import dev.millrace.column.BinaryColumn;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.images.options.WriteImages;
import dev.millrace.internal.images.codec.ImageFormat;
import dev.millrace.internal.images.operation.ImageFunction;
import dev.millrace.internal.images.operation.ImageStep;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The format of image output files: one file per row.
public record ImageOutput(WriteImages options) implements FileFormat {
    @Override
    public String name() {
        return "Images";
    }

    @Override
    public String extension() {
        return options.encoding().kind().extension();
    }

    @Override
    public List<String> endings() {
        return ImageFormat.allEndings();
    }

    @Override
    public boolean isFilePerRow() {
        return true;
    }

    private ImageFunction encode() {
        return new ImageFunction(List.of(new ImageStep.Encode(options.encoding())));
    }

    /// The index of the first column that is not the name column.
    private int images(Schema schema) {
        if (schema.size() == (options.nameColumn() == null ? 1 : 2)) {
            return options.nameColumn() != null && schema.indexOf(options.nameColumn()) == 0 ? 1 : 0;
        }
        throw MillraceException.user("writeImages takes the column of images"
                + (options.nameColumn() == null ? "" : " and that of the names, '" + options.nameColumn() + "'")
                + "; there are " + schema.names()
                + ". Use dataset.writeImages(folder, column), or select them.");
    }

    @Override
    public void check(Schema schema) {
        encode().type(List.of(schema.field(images(schema)).type()));
        if (options.nameColumn() != null) {
            DataType type = schema.type(options.nameColumn());
            if (!(type instanceof DataType.Utf8)) {
                throw MillraceException.user("writeImages: files are named by text, and column '" + options.nameColumn()
                        + "' is of type " + type + ".");
            }
        }
    }

    @Override
    public Writer open(WritableByteChannel out, Schema schema, Allocator allocator) {
        ImageFunction encode = encode();
        int images = images(schema);
        return new Writer() {
            private @Nullable String fileName;

            @Override
            public void write(Block block) throws IOException {
                if (options.nameColumn() != null) {
                    fileName =
                            nameOf((String) block.column(options.nameColumn()).value(0));
                }
                Column column = block.column(images);
                if (column.isNull(0)) {
                    throw MillraceException.data("writeImages: an image of column '"
                            + schema.field(images).name()
                            + "'" + (fileName == null ? "" : " ('" + fileName + "')")
                            + " is null. Leave such rows out: filter(col(\""
                            + schema.field(images).name()
                            + "\").isNotNull()).");
                }
                Column encoded = encode.apply(List.of(column), allocator);
                try {
                    ByteBuffer bytes = ((BinaryColumn) encoded).bytes(0).asByteBuffer();
                    while (bytes.hasRemaining()) {
                        out.write(bytes);
                    }
                } finally {
                    encoded.release();
                }
            }

            @Override
            public @Nullable String fileName() {
                return fileName;
            }

            @Override
            public void close() throws IOException {
                out.close();
            }
        };
    }

    private String nameOf(@Nullable String text) {
        if (text == null || text.isBlank()) {
            throw MillraceException.data("writeImages: column '" + options.nameColumn()
                    + "' has no name for an image. Give every row one, or leave such rows out.");
        }
        boolean isElsewhere = text.startsWith("/") || text.contains("://") || text.contains("\\");
        String relative =
                isElsewhere ? text.substring(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1) : text;
        String lower = relative.toLowerCase(Locale.ROOT);
        for (String ending : ImageFormat.allEndings()) {
            if (lower.endsWith(ending) && relative.length() > ending.length()) {
                relative = relative.substring(0, relative.length() - ending.length());
                break;
            }
        }
        return relative + "." + extension();
    }
}
