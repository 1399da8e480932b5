package dev.millrace.internal.images.read;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.TensorBuilder;
import dev.millrace.column.VariableTensorBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.images.options.Interpolation;
import dev.millrace.images.options.ReadImages;
import dev.millrace.internal.images.codec.BadImage;
import dev.millrace.internal.images.codec.ImageDecoder;
import dev.millrace.internal.images.codec.ImageHeader;
import dev.millrace.internal.images.operation.ImageShape;
import dev.millrace.internal.images.resample.ImageResampler;
import dev.millrace.internal.images.resample.PixelImage;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.source.SplitReader;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decodes the image of one file.
final class ImageReader implements SplitReader {
    private final FileRange range;
    private final @Nullable DataType type;
    private final ReadImages options;
    private final Allocator allocator;
    private boolean done;

    /// @param type the type of the column; null: only the row count is needed
    ImageReader(FileRange range, @Nullable DataType type, ReadImages options, Allocator allocator) {
        this.range = range;
        this.type = type;
        this.options = options;
        this.allocator = allocator;
    }

    @Override
    public @Nullable Block next() throws IOException {
        if (done) {
            return null;
        }
        done = true;
        if (type == null) {
            return Block.of(Schema.empty(), List.of(), 1);
        }
        Buffer file = range.readAll(allocator, 0);
        try {
            return Block.of(Schema.of(ImageFiles.IMAGE, type), List.of(decode(type, file.segment())), 1);
        } catch (BadImage e) {
            throw MillraceException.data("'" + range.path() + "' " + e.getMessage() + ".");
        } finally {
            file.release();
        }
    }

    private Column decode(DataType type, MemorySegment encoded) throws BadImage {
        ImageHeader header = ImageDecoder.header(encoded, options.maxPixels());
        int orientation = options.upright() ? header.orientation() : 1;
        int channels = options.mode().channels();
        int height = orientation >= 5 ? header.width() : header.height();
        int width = orientation >= 5 ? header.height() : header.width();
        ImageDecoder decoder = ImageDecoder.ofThread();
        return switch (type) {
            case DataType.Tensor tensor -> {
                Buffer whole = allocator.allocate((long) height * width * channels);
                try (TensorBuilder builder = new TensorBuilder(allocator, tensor, 1);
                        ImageResampler resampler = ImageResampler.take()) {
                    decoder.decode(encoded, header, options.mode(), orientation, whole.segment(), allocator);
                    PixelImage target = PixelImage.dense(
                            builder.appendUninitialised(), options.width(), options.height(), channels);
                    resampler.resize(
                            PixelImage.dense(whole.segment(), width, height, channels),
                            options.width(),
                            options.height(),
                            target.whole(),
                            Interpolation.BILINEAR,
                            target);
                    yield builder.build();
                } finally {
                    whole.release();
                }
            }
            case DataType.VariableTensor tensor -> {
                try (VariableTensorBuilder builder = new VariableTensorBuilder(allocator, tensor, 1)) {
                    MemorySegment pixels = builder.appendUninitialised(
                            new ImageShape(height, width, channels).dimensions(tensor.dimensions()));
                    decoder.decode(encoded, header, options.mode(), orientation, pixels, allocator);
                    yield builder.build();
                }
            }
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _ -> throw MillraceException.internal("images are no " + type);
        };
    }
}
