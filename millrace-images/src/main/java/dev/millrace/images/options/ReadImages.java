package dev.millrace.images.options;

import dev.millrace.error.MillraceException;
import dev.millrace.source.FileReadOptions;
import dev.millrace.source.FileReads;
import java.util.Objects;

/// Options of reading image files: `ReadImages.rgb().includePaths()`.
///
/// @param mode the channels of the pixels
/// @param height to which every image is resized; 0: images keep their sizes
/// @param width likewise
/// @param upright whether images are turned as their EXIF orientation says
/// @param maxPixels an image that claims to have more is a data error
/// @param files what all reads of files have in common; compression is the images' own affair
public record ReadImages(ImageMode mode, int height, int width, boolean upright, long maxPixels, FileReads files)
        implements FileReadOptions<ReadImages> {
    /// As PIL: what is larger is taken for an attack on the memory.
    private static final long DEFAULT_MAX_PIXELS = 178_956_970;

    public ReadImages {
        Objects.requireNonNull(mode, "mode");
        if (height < 0 || width < 0 || height > 0 != width > 0) {
            throw MillraceException.user("Images cannot be resized to a height of " + height + " and a width of "
                    + width + ": both must be positive.");
        }
        if (maxPixels < 1) {
            throw MillraceException.user("An image has 1 or more pixels, not at most " + maxPixels + ".");
        }
    }

    /// Red, green and blue.
    public static ReadImages rgb() {
        return of(ImageMode.RGB);
    }

    /// Red, green, blue and alpha.
    public static ReadImages rgba() {
        return of(ImageMode.RGBA);
    }

    /// One channel: tensors of height x width.
    public static ReadImages grey() {
        return of(ImageMode.GREY);
    }

    /// Pixels of these channels.
    public static ReadImages of(ImageMode mode) {
        return new ReadImages(mode, 0, 0, true, DEFAULT_MAX_PIXELS, FileReads.defaults());
    }

    /// What all reads of files have in common.
    @Override
    public ReadImages files(FileReads other) {
        return new ReadImages(mode, height, width, upright, maxPixels, other);
    }

    /// Resizes every image as it is read, as PIL's bilinear filter does: the column then has tensors of one shape.
    public ReadImages size(int newHeight, int newWidth) {
        if (newHeight < 1 || newWidth < 1) {
            throw MillraceException.user("size: images cannot have a height of " + newHeight + " and a width of "
                    + newWidth + ": both must be positive.");
        }
        return new ReadImages(mode, newHeight, newWidth, upright, maxPixels, files);
    }

    /// Takes pixels as they are stored, whatever the EXIF orientation says.
    public ReadImages ignoreOrientation() {
        return new ReadImages(mode, height, width, false, maxPixels, files);
    }

    /// An image that claims to have more pixels is a data error.
    public ReadImages maxPixels(long most) {
        return new ReadImages(mode, height, width, upright, most, files);
    }
}
