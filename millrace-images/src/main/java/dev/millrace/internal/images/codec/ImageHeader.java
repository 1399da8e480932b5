package dev.millrace.internal.images.codec;

import java.lang.foreign.MemorySegment;

/// What the beginning of an image file declares, known before anything is decoded.
///
/// @param width as stored, before the orientation is applied
/// @param channels as stored: 1 grey, 2 grey with alpha, 3 colours or a palette, 4 colours with alpha, or CMYK
/// @param alpha whether pixels may be transparent
/// @param orientation from EXIF or XMP, 1 to 8: how the stored pixels are to be turned; 1: they are upright
public record ImageHeader(ImageFormat format, int width, int height, int channels, boolean alpha, int orientation) {
    /// @throws BadImage if the bytes are not an image, or end before its size is known
    public static ImageHeader of(MemorySegment bytes) throws BadImage {
        ImageFormat format = ImageFormat.of(bytes);
        try {
            ImageHeader header = switch (format) {
                case JPEG -> JpegHeader.of(bytes);
                case PNG -> PngHeader.of(bytes);
                case WEBP -> WebpHeader.of(bytes);
                case GIF -> gif(bytes);
                case BMP -> BmpHeader.of(bytes).header();
                case TIFF -> TiffDirectory.first(bytes).header();
            };
            if (header.width < 1 || header.height < 1) {
                throw new BadImage("is a " + format + " image of " + header.size() + " pixels");
            }
            return header;
        } catch (IndexOutOfBoundsException e) {
            throw new BadImage("is a " + format + " image that ends within its header");
        }
    }

    private static ImageHeader gif(MemorySegment bytes) {
        return new ImageHeader(
                ImageFormat.GIF, ImageBytes.shortLittle(bytes, 6), ImageBytes.shortLittle(bytes, 8), 3, true, 1);
    }

    /// Whether turning the image upright swaps width and height.
    public boolean isLying() {
        return orientation >= 5;
    }

    public long pixels() {
        return (long) width * height;
    }

    /// The size for error messages: "640 x 480".
    public String size() {
        return width + " x " + height;
    }

    /// Treats a value outside 1 to 8 as 1.
    static int orientation(int value) {
        return value >= 1 && value <= 8 ? value : 1;
    }

    /// The orientation of EXIF data or, if that has none, of XMP data.
    static int orientation(int exif, int xmp) {
        return orientation(exif == TiffDirectory.NO_ORIENTATION ? xmp : exif);
    }
}
