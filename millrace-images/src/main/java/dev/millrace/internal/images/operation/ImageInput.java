package dev.millrace.internal.images.operation;

import dev.millrace.column.BinaryColumn;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.images.codec.BadImage;
import dev.millrace.internal.images.codec.ImageDecoder;
import dev.millrace.internal.images.codec.ImageHeader;
import dev.millrace.internal.images.resample.PixelImage;
import dev.millrace.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The input images of a chain, row by row.
abstract class ImageInput {
    /// The shape of a row's image.
    abstract ImageShape shape(long row) throws BadImage;

    /// The image of the row for which [#shape] was called last.
    ///
    /// @param memory for pixels that must be decoded
    abstract PixelImage pixels(long row, ImageMemory memory, Allocator scratch) throws BadImage;

    /// @param decode how images are decoded; null: the column contains pixels
    static ImageInput of(Column column, ImageStep.@Nullable Decode decode) {
        return switch (column) {
            case BinaryColumn encoded when decode != null -> new Encoded(encoded, decode);
            case TensorColumn tensors -> new Tensors(tensors);
            case VariableTensorColumn tensors -> new VariableTensors(tensors);
            case BinaryColumn _,
                    BooleanColumn _,
                    DictionaryColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    ListColumn _,
                    MapColumn _,
                    StringColumn _,
                    StructColumn _ -> throw MillraceException.internal(column.type() + " has no images");
        };
    }

    private static ImageShape imageShape(int... shape) throws BadImage {
        int channels = shape.length == 2 ? 1 : shape[2];
        if (channels != 1 && channels != 3 && channels != 4 || shape[0] < 1 || shape[1] < 1) {
            throw new BadImage("is a tensor of shape " + Arrays.toString(shape)
                    + ": an image is height x width x 1 (grey), 3 (RGB) or 4 (RGBA)");
        }
        return new ImageShape(shape[0], shape[1], channels);
    }

    private static final class Encoded extends ImageInput {
        private final BinaryColumn column;
        private final ImageStep.Decode decode;
        private final ImageDecoder decoder = ImageDecoder.ofThread();
        private @Nullable EncodedImage asked;

        private record EncodedImage(MemorySegment bytes, ImageHeader header, ImageShape shape) {}

        Encoded(BinaryColumn column, ImageStep.Decode decode) {
            this.column = column;
            this.decode = decode;
        }

        @Override
        ImageShape shape(long row) throws BadImage {
            MemorySegment bytes = column.bytes(row);
            ImageHeader header = ImageDecoder.header(bytes, decode.maxPixels());
            boolean lying = decode.upright() && header.isLying();
            ImageShape shape = new ImageShape(
                    lying ? header.width() : header.height(),
                    lying ? header.height() : header.width(),
                    decode.mode().channels());
            asked = new EncodedImage(bytes, header, shape);
            return shape;
        }

        @Override
        PixelImage pixels(long row, ImageMemory memory, Allocator scratch) throws BadImage {
            EncodedImage image = asked;
            if (image == null) {
                throw MillraceException.internal("an image is decoded before its shape was asked for");
            }
            ImageShape shape = image.shape();
            MemorySegment target = memory.next(shape);
            int orientation = decode.upright() ? image.header().orientation() : 1;
            decoder.decode(image.bytes(), image.header(), decode.mode(), orientation, target, scratch);
            return PixelImage.dense(target, shape.width(), shape.height(), shape.channels());
        }
    }

    private static final class Tensors extends ImageInput {
        private final TensorColumn column;
        private final int[] shape;

        Tensors(TensorColumn column) {
            this.column = column;
            this.shape =
                    column.type().shape().stream().mapToInt(Integer::intValue).toArray();
        }

        @Override
        ImageShape shape(long row) throws BadImage {
            return imageShape(shape);
        }

        @Override
        PixelImage pixels(long row, ImageMemory memory, Allocator scratch) {
            return PixelImage.dense(column.segment(row), shape[1], shape[0], shape.length == 2 ? 1 : shape[2]);
        }
    }

    private static final class VariableTensors extends ImageInput {
        private final VariableTensorColumn column;

        VariableTensors(VariableTensorColumn column) {
            this.column = column;
        }

        @Override
        ImageShape shape(long row) throws BadImage {
            return imageShape(column.shape(row));
        }

        @Override
        PixelImage pixels(long row, ImageMemory memory, Allocator scratch) throws BadImage {
            ImageShape shape = shape(row);
            return PixelImage.dense(column.segment(row), shape.width(), shape.height(), shape.channels());
        }
    }
}
