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
import dev.millrace.images.options.ImageMode;
import dev.millrace.internal.images.codec.BadImage;
import dev.millrace.internal.images.codec.ImageDecoder;
import dev.millrace.internal.images.resample.PixelImage;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// The images of a column, which contains pixels or encoded image files; the latter are decoded to RGB and turned
/// upright. One thread.
public final class ColumnImages implements AutoCloseable {
    private static final ImageStep.Decode DECODE =
            new ImageStep.Decode(ImageMode.RGB, true, ImageDecoder.DEFAULT_MAX_PIXELS);

    private final String name;
    private final Column column;
    private final ImageInput input;
    private final Allocator allocator;
    private final ImageMemory memory;

    private ColumnImages(String name, Column column, Allocator allocator) {
        this.name = name;
        this.column = column;
        this.input = ImageInput.of(column, DECODE);
        this.allocator = allocator;
        this.memory = new ImageMemory(allocator);
    }

    /// @param allocator for pixels that must be decoded first
    /// @throws MillraceException culprit USER, if the column does not contain images
    public static ColumnImages of(String name, Column column, Allocator allocator) {
        boolean holdsImages = switch (column) {
            case BinaryColumn _ -> true;
            case TensorColumn tensors ->
                isImage(tensors.type().element(), tensors.type().shape().size());
            case VariableTensorColumn tensors ->
                isImage(tensors.type().element(), tensors.type().dimensions());
            case BooleanColumn _,
                    DictionaryColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    ListColumn _,
                    MapColumn _,
                    StringColumn _,
                    StructColumn _ -> false;
        };
        if (!holdsImages) {
            throw MillraceException.user("Column '" + name + "' is " + column.type()
                    + " and holds no images. Images are tensors of uint8, height x width x channels, or the bytes"
                    + " of image files.");
        }
        return new ColumnImages(name, column, allocator);
    }

    private static boolean isImage(DataType element, int dimensions) {
        return element.equals(DataType.UINT8) && (dimensions == 2 || dimensions == 3);
    }

    /// The pixels of a row, valid until the next call; null if the row is null.
    ///
    /// @throws MillraceException culprit DATA, if the image cannot be decoded
    public @Nullable PixelImage pixels(long row) {
        if (column.isNull(row)) {
            return null;
        }
        try {
            input.shape(row);
            return input.pixels(row, memory, allocator);
        } catch (BadImage e) {
            throw MillraceException.data("Row " + row + " of column '" + name + "' " + e.getMessage() + ".");
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
