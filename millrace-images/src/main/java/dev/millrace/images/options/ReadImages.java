package dev.millrace.images.options;

import dev.millrace.error.MillraceException;
import dev.millrace.source.FileReadOptions;
import dev.millrace.source.FileReads;
import java.util.Objects;

/// Options of reading image files: `ReadImages.rgb().includePaths()`.
///
/// @param mode the channels of the pixels
/// @param height the height to which every image is resized; 0: images keep their sizes
/// @param width the width to which every image is resized; 0: images keep their sizes
/// @param upright whether images are turned according to their EXIF orientation
/// @param maxPixels an image whose header declares more pixels is a data error
/// @param files the options that all file reads share; compression does not apply to images
public record ReadImages(ImageMode mode, int height, int width, boolean upright, long maxPixels, FileReads files)
        implements FileReadOptions<ReadImages> {
    /// PIL's limit: a larger image is assumed to be a decompression bomb.
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

    /// Reads RGB pixels.
    public static ReadImages rgb() {
        return of(ImageMode.RGB);
    }

    /// Reads RGBA pixels.
    public static ReadImages rgba() {
        return of(ImageMode.RGBA);
    }

    /// Reads one channel: tensors of height x width.
    public static ReadImages grey() {
        return of(ImageMode.GREY);
    }

    /// Reads pixels of this mode.
    public static ReadImages of(ImageMode mode) {
        return new ReadImages(mode, 0, 0, true, DEFAULT_MAX_PIXELS, FileReads.defaults());
    }

    /// Sets the options that all file reads share.
    @Override
    public ReadImages files(FileReads other) {
        return new ReadImages(mode, height, width, upright, maxPixels, other);
    }

    /// Resizes every image as it is read, with PIL's bilinear filter: the column then has tensors of one shape.
    public ReadImages size(int newHeight, int newWidth) {
        if (newHeight < 1 || newWidth < 1) {
            throw MillraceException.user("size: images cannot have a height of " + newHeight + " and a width of "
                    + newWidth + ": both must be positive.");
        }
        return new ReadImages(mode, newHeight, newWidth, upright, maxPixels, files);
    }

    /// Returns pixels as they are stored, ignoring the EXIF orientation.
    public ReadImages ignoreOrientation() {
        return new ReadImages(mode, height, width, false, maxPixels, files);
    }

    /// The limit above which an image, by the size that its header declares, is a data error.
    public ReadImages maxPixels(long most) {
        return new ReadImages(mode, height, width, upright, most, files);
    }
}
