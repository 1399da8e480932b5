package dev.millrace.images;

import dev.millrace.column.BinaryColumn;
import dev.millrace.column.Column;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.images.codec.BadImage;
import dev.millrace.internal.images.codec.ImageDecoder;
import dev.millrace.internal.images.codec.ImageHeader;
import dev.millrace.internal.images.resample.Pixels;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.ImageMode;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The images of a column, whichever way it holds them.
abstract class ImageValues implements AutoCloseable {
    private final String name;
    private final Column column;

    private ImageValues(String name, Column column) {
        this.name = name;
        this.column = column;
    }

    /// @param scratch for pixels that must be decoded first
    /// @throws MillraceException culprit USER, for a column that holds no images
    static ImageValues of(String name, Column column, Allocator scratch) {
        return switch (column) {
            case TensorColumn tensors
            when tensors.type().element().equals(DataType.UINT8)
                    && isImage(tensors.type().shape().size()) -> new OneSize(name, tensors);
            case VariableTensorColumn tensors
            when tensors.type().element().equals(DataType.UINT8)
                    && isImage(tensors.type().dimensions()) -> new AnySize(name, tensors);
            case BinaryColumn encoded -> new Encoded(name, encoded, scratch);
            default ->
                throw MillraceException.user("Column '" + name + "' is " + column.type()
                        + " and holds no images. Images are tensors of uint8, height x width x channels, or the bytes"
                        + " of image files.");
        };
    }

    private static boolean isImage(int dimensions) {
        return dimensions == 2 || dimensions == 3;
    }

    /// The pixels of a row, valid until the next call; null where there is no image.
    final Pixels pixels(long row) {
        return column.isNull(row) ? null : there(row);
    }

    abstract Pixels there(long row);

    @Override
    public void close() {}

    final String placeOf(long row) {
        return "Row " + row + " of column '" + name + "'";
    }

    final Pixels of(MemorySegment segment, long row, int height, int width, int channels) {
        if (channels != 1 && channels != 3 && channels != 4 || height < 1 || width < 1) {
            throw MillraceException.data(placeOf(row) + " is a tensor of " + height + " x "
                    + width + " x " + channels
                    + ", which is no image: an image is height x width x 1 (grey), 3 (RGB) or 4 (RGBA).");
        }
        return Pixels.dense(segment, width, height, channels);
    }

    private static final class OneSize extends ImageValues {
        private final TensorColumn tensors;
        private final int height;
        private final int width;
        private final int channels;

        OneSize(String name, TensorColumn tensors) {
            super(name, tensors);
            this.tensors = tensors;
            List<Integer> shape = tensors.type().shape();
            this.height = shape.get(0);
            this.width = shape.get(1);
            this.channels = shape.size() == 2 ? 1 : shape.get(2);
        }

        @Override
        Pixels there(long row) {
            return of(tensors.segment(row), row, height, width, channels);
        }
    }

    private static final class AnySize extends ImageValues {
        private final VariableTensorColumn tensors;

        AnySize(String name, VariableTensorColumn tensors) {
            super(name, tensors);
            this.tensors = tensors;
        }

        @Override
        Pixels there(long row) {
            int[] shape = tensors.shape(row);
            return of(tensors.segment(row), row, shape[0], shape[1], shape.length == 2 ? 1 : shape[2]);
        }
    }

    private static final class Encoded extends ImageValues {
        private final BinaryColumn encoded;
        private final Allocator scratch;
        private Buffer pixels = Buffer.EMPTY;

        Encoded(String name, BinaryColumn encoded, Allocator scratch) {
            super(name, encoded);
            this.encoded = encoded;
            this.scratch = scratch;
        }

        @Override
        Pixels there(long row) {
            MemorySegment bytes = encoded.bytes(row);
            try {
                ImageHeader header = ImageDecoder.header(bytes, ImageDecoder.USUAL_MOST_PIXELS);
                int channels = ImageMode.RGB.channels();
                long needed = header.pixels() * channels;
                if (pixels.size() < needed) {
                    pixels.release();
                    pixels = Buffer.EMPTY;
                    pixels = scratch.allocate(needed);
                }
                MemorySegment target = pixels.segment().asSlice(0, needed);
                int orientation = header.orientation();
                ImageDecoder.ofThread().decode(bytes, header, ImageMode.RGB, orientation, target, scratch);
                boolean lying = orientation >= 5;
                int width = lying ? header.height() : header.width();
                int height = lying ? header.width() : header.height();
                return Pixels.dense(target, width, height, channels);
            } catch (BadImage e) {
                throw MillraceException.data(placeOf(row) + " " + e.getMessage() + ".");
            }
        }

        @Override
        public void close() {
            pixels.release();
        }
    }
}
