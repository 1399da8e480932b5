package dev.millrace.images;

import dev.millrace.column.Column;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.images.resample.Pixels;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The images of a column, whichever way it holds them.
abstract class ImageValues {
    private final String name;
    private final Column column;

    private ImageValues(String name, Column column) {
        this.name = name;
        this.column = column;
    }

    /// @throws MillraceException culprit USER, for a column that holds no images
    static ImageValues of(String name, Column column) {
        return switch (column) {
            case TensorColumn tensors
            when tensors.type().element().equals(DataType.UINT8)
                    && isImage(tensors.type().shape().size()) -> new OneSize(name, tensors);
            case VariableTensorColumn tensors
            when tensors.type().element().equals(DataType.UINT8)
                    && isImage(tensors.type().dimensions()) -> new AnySize(name, tensors);
            default ->
                throw MillraceException.user("Column '" + name + "' is " + column.type()
                        + " and holds no images. Images are tensors of uint8: height x width x channels.");
        };
    }

    private static boolean isImage(int dimensions) {
        return dimensions == 2 || dimensions == 3;
    }

    /// The pixels of a row, without a copy; null where there is no image.
    final Pixels pixels(long row) {
        return column.isNull(row) ? null : there(row);
    }

    abstract Pixels there(long row);

    final Pixels of(MemorySegment segment, long row, int height, int width, int channels) {
        if (channels != 1 && channels != 3 && channels != 4 || height < 1 || width < 1) {
            throw MillraceException.data("Row " + row + " of column '" + name + "' is a tensor of " + height + " x "
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
}
