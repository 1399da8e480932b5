package dev.millrace.internal.images.operation;

import dev.millrace.type.DataType;

/// The shape of an image, or what is known of it in advance. As a tensor it is height x width x channels, or height x
/// width if it is known to have one channel.
///
/// @param height [#ANY] if rows may differ
/// @param channels [#ANY] if rows may differ
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

    /// The dimensions of this image's tensor.
    ///
    /// @param count 2 or 3, according to the column's type
    public int[] dimensions(int count) {
        return count == 2 ? new int[] {height, width} : new int[] {height, width, channels};
    }

    long bytes() {
        return (long) height * width * channels;
    }

    /// "640 x 480", width first as is customary.
    String size() {
        return width + " x " + height;
    }
}
