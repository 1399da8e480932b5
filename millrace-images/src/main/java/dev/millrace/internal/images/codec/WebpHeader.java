package dev.millrace.internal.images.codec;

import java.lang.foreign.MemorySegment;

/// Reads the chunks of a WebP file: lossy, lossless, or extended (with alpha, EXIF or several frames).
final class WebpHeader {
    private static final int LOSSY = 0x56503820;
    private static final int LOSSLESS = 0x5650384C;
    private static final int EXTENDED = 0x56503858;
    private static final int EXIF = 0x45584946;
    private static final int XMP = 0x584D5020;
    private static final int FIRST_CHUNK = 12;

    private WebpHeader() {}

    static ImageHeader of(MemorySegment bytes) throws BadImage {
        return switch (ImageBytes.intBig(bytes, FIRST_CHUNK)) {
            case LOSSY -> {
                if (ImageBytes.threeLittle(bytes, 23) != 0x2A019D) {
                    throw new BadImage("is a WebP image without a key frame");
                }
                yield header(
                        ImageBytes.shortLittle(bytes, 26) & 0x3FFF,
                        ImageBytes.shortLittle(bytes, 28) & 0x3FFF,
                        false,
                        1);
            }
            case LOSSLESS -> {
                if (ImageBytes.unsigned(bytes, 20) != 0x2F) {
                    throw new BadImage("is a lossless WebP image without its signature");
                }
                int bits = ImageBytes.intLittle(bytes, 21);
                yield header((bits & 0x3FFF) + 1, (bits >>> 14 & 0x3FFF) + 1, (bits >>> 28 & 1) == 1, 1);
            }
            case EXTENDED -> {
                int flags = ImageBytes.unsigned(bytes, 20);
                yield header(
                        ImageBytes.threeLittle(bytes, 24) + 1,
                        ImageBytes.threeLittle(bytes, 27) + 1,
                        (flags & 0x10) != 0,
                        (flags & 0x0C) == 0 ? 1 : orientation(bytes));
            }
            default -> throw new BadImage("is a WebP file without an image");
        };
    }

    private static ImageHeader header(int width, int height, boolean alpha, int orientation) {
        return new ImageHeader(ImageFormat.WEBP, width, height, alpha ? 4 : 3, alpha, orientation);
    }

    private static int orientation(MemorySegment bytes) {
        int exif = TiffDirectory.NO_ORIENTATION;
        int xmp = TiffDirectory.NO_ORIENTATION;
        long at = FIRST_CHUNK;
        while (at + 8 <= bytes.byteSize()) {
            long length = ImageBytes.intLittle(bytes, at + 4) & 0xFFFF_FFFFL;
            long end = Math.min(bytes.byteSize(), at + 8 + length);
            int type = ImageBytes.intBig(bytes, at);
            if (type == EXIF && end > at + 12) {
                exif = ImageBytes.intBig(bytes, at + 8) == 0x45786966
                        ? TiffDirectory.exifOrientation(bytes, at + 8, end)
                        : TiffDirectory.orientation(bytes.asSlice(at + 8, end - at - 8));
            } else if (type == XMP) {
                xmp = XmpOrientation.of(bytes.asSlice(at + 8, end - at - 8));
            }
            at += 8 + length + (length & 1);
        }
        return ImageHeader.orientation(exif, xmp);
    }
}
