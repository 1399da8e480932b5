package dev.millrace.internal.images.read;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.VariableTensorBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.images.codec.BadImage;
import dev.millrace.internal.images.codec.ImageDecoder;
import dev.millrace.internal.images.codec.ImageHeader;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadImages;
import dev.millrace.source.SplitReader;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Decodes the image of one file.
final class ImageReader implements SplitReader {
    private static final DataType.VariableTensor ANY_SIZE =
            (DataType.VariableTensor) DataType.variableTensor(DataType.UINT8, 3);
    private static final Schema SCHEMA = Schema.of(ImageFiles.IMAGE, ANY_SIZE);

    private final FileRange range;
    private final boolean wanted;
    private final ReadImages options;
    private final Allocator allocator;
    private boolean done;

    /// @param wanted false: only that there is a row
    ImageReader(FileRange range, boolean wanted, ReadImages options, Allocator allocator) {
        this.range = range;
        this.wanted = wanted;
        this.options = options;
        this.allocator = allocator;
    }

    @Override
    public Block next() throws IOException {
        if (done) {
            return null;
        }
        done = true;
        if (!wanted) {
            return Block.of(Schema.empty(), List.of(), 1);
        }
        Buffer file = range.readAll(allocator, 0);
        try {
            return Block.of(SCHEMA, List.of(decode(file.segment())), 1);
        } catch (BadImage e) {
            throw MillraceException.data("'" + range.path() + "' " + e.getMessage() + ".");
        } finally {
            file.release();
        }
    }

    private Column decode(MemorySegment encoded) throws BadImage {
        ImageHeader header = ImageDecoder.header(encoded, options.maxPixels());
        int orientation = options.upright() ? header.orientation() : 1;
        boolean lying = orientation >= 5;
        int height = lying ? header.width() : header.height();
        int width = lying ? header.height() : header.width();
        try (VariableTensorBuilder builder = new VariableTensorBuilder(allocator, ANY_SIZE, 1)) {
            MemorySegment pixels =
                    builder.appendUninitialised(height, width, options.mode().channels());
            ImageDecoder.ofThread().decode(encoded, header, options.mode(), orientation, pixels, allocator);
            return builder.build();
        }
    }
}
