package dev.millrace.internal.images.read;

import dev.millrace.images.options.ReadImages;
import dev.millrace.internal.images.codec.BadImage;
import dev.millrace.internal.images.codec.ImageFormat;
import dev.millrace.internal.images.codec.ImageHeader;
import dev.millrace.internal.images.operation.ImageShape;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.storage.RandomFile;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// The format of image files, one row with the column `image` per file.
public record ImageFiles(ReadImages options) implements ReadFormat {
    static final String IMAGE = "image";

    /// The approximate expansion of JPEG photographs, used if no file could be sampled.
    private static final double DEFAULT_EXPANSION = 12;
    /// The number of bytes that contain the size of nearly every image.
    private static final long HEAD_BYTES = 64 << 10;

    @Override
    public String name() {
        return "Images";
    }

    @Override
    public String verb() {
        return "readImages";
    }

    @Override
    public List<String> endings() {
        return ImageFormat.allEndings();
    }

    @Override
    public boolean unpacks() {
        return false;
    }

    @Override
    public Schema schema(FileRange first, ReadContext context) {
        return Schema.of(IMAGE, type());
    }

    DataType type() {
        return new ImageShape(
                        options.height() == 0 ? ImageShape.ANY : options.height(),
                        options.width() == 0 ? ImageShape.ANY : options.width(),
                        options.mode().channels())
                .pixelType();
    }

    @Override
    public OptionalLong rows(FileRange whole, ReadContext context) {
        return OptionalLong.of(1);
    }

    @Override
    public boolean hasRowPerFile() {
        return true;
    }

    @Override
    public double expansion() {
        return DEFAULT_EXPANSION;
    }

    @Override
    public OptionalDouble expansion(FileRange range, ReadContext context) throws IOException {
        RandomFile file = range.file();
        if (file.size() == 0) {
            return OptionalDouble.empty();
        }
        Buffer head = context.allocator().allocate(Math.min(file.size(), HEAD_BYTES));
        try {
            file.readFully(0, head.segment());
            ImageHeader header = ImageHeader.of(head.segment());
            long pixels = options.height() == 0 ? header.pixels() : (long) options.height() * options.width();
            return OptionalDouble.of((double) pixels * options.mode().channels() / file.size());
        } catch (BadImage e) {
            return OptionalDouble.empty();
        } finally {
            head.release();
        }
    }

    @Override
    public SplitReader open(FileRange range, WantedColumns wanted, ReadContext context) {
        return new ImageReader(range, wanted.contains(IMAGE) ? type() : null, options, context.allocator());
    }
}
