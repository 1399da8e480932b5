package dev.millrace.internal.images.operation;

import dev.millrace.type.DataType;

/// The shape of an image, or what is known of it beforehand. As a tensor it is height x width x channels; where it is
/// known to have one channel, height x width.
///
/// @param height [#ANY] where rows may differ
/// @param channels [#ANY] where rows may differ
public record ImageShape(int height, int width, int channels) {
    public static final int ANY = -1;

    boolean knowsSize() {
        return height != ANY && width != ANY;
    }

    boolean isKnown() {
        return knowsSize() && channels != ANY;
    }

    ImageShape withSize(int newHeight, int newWidth) {
        return new ImageShape(newHeight, newWidth, channels);
    }

    ImageShape withChannels(int other) {
        return new ImageShape(height, width, other);
    }

    /// The type of a column of such images.
    public DataType pixelType() {
        int dimensions = channels == 1 ? 2 : 3;
        return !isKnown()
                ? DataType.variableTensor(DataType.UINT8, dimensions)
                : DataType.tensor(DataType.UINT8, dimensions(dimensions));
    }

    /// Of the tensor of this image.
    ///
    /// @param count 2 or 3, as the column's type says
    public int[] dimensions(int count) {
        return count == 2 ? new int[] {height, width} : new int[] {height, width, channels};
    }

    long bytes() {
        return (long) height * width * channels;
    }

    /// "640 x 480", width first as people say it.
    String size() {
        return width + " x " + height;
    }
}
