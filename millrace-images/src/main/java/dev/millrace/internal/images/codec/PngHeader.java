package dev.millrace.internal.images.codec;

import java.lang.foreign.MemorySegment;

/// Reads the chunks of a PNG file that describe the image.
final class PngHeader {
    private static final int SIGNATURE = 8;
    private static final int IHDR = 0x49484452;
    private static final int TRNS = 0x74524E53;
    private static final int EXIF = 0x65584966;
    private static final int IEND = 0x49454E44;

    private PngHeader() {}

    static ImageHeader of(MemorySegment bytes) throws BadImage {
        if (ImageBytes.intBig(bytes, SIGNATURE + 4) != IHDR) {
            throw new BadImage("is a PNG image without a header");
        }
        int width = ImageBytes.intBig(bytes, 16);
        int height = ImageBytes.intBig(bytes, 20);
        int colours = ImageBytes.unsigned(bytes, 25);
        boolean alpha = colours == 4 || colours == 6;
        int exif = TiffDirectory.NO_ORIENTATION;
        int profile = TiffDirectory.NO_ORIENTATION;
        int xmp = TiffDirectory.NO_ORIENTATION;
        long at = SIGNATURE;
        while (at + 12 <= bytes.byteSize()) {
            long length = ImageBytes.intBig(bytes, at) & 0xFFFF_FFFFL;
            int type = ImageBytes.intBig(bytes, at + 4);
            if (type == IEND || length > bytes.byteSize() - at - 12) {
                break;
            }
            alpha |= type == TRNS;
            if (type == EXIF) {
                exif = TiffDirectory.orientation(bytes.asSlice(at + 8, length));
            } else if (type == PngText.PLAIN || type == PngText.COMPRESSED || type == PngText.INTERNATIONAL) {
                PngText text = PngText.of(type, bytes.asSlice(at + 8, length));
                profile = said(text.exifOrientation(), profile);
                xmp = said(text.xmpOrientation(), xmp);
            }
            at += 12 + length;
        }
        int channels = switch (colours) {
            case 0 -> 1;
            case 4 -> 2;
            case 6 -> 4;
            default -> 3;
        };
        return new ImageHeader(
                ImageFormat.PNG, width, height, channels, alpha, ImageHeader.orientation(said(exif, profile), xmp));
    }

    private static int said(int first, int otherwise) {
        return first == TiffDirectory.NO_ORIENTATION ? otherwise : first;
    }
}
