package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// The image formats that can be decoded, detected by their first bytes, not by file names.
public enum ImageFormat {
    JPEG(".jpg", ".jpeg", ".jpe", ".jfif"),
    PNG(".png"),
    WEBP(".webp"),
    GIF(".gif"),
    BMP(".bmp", ".dib"),
    TIFF(".tif", ".tiff");

    /// The number of bytes that detection needs.
    public static final int MIN_BYTES = 12;

    private final List<String> endings;

    ImageFormat(String... endings) {
        this.endings = List.of(endings);
    }

    /// The file extensions of all formats, in lower case.
    public static List<String> allEndings() {
        return Arrays.stream(values())
                .flatMap(format -> format.endings.stream())
                .toList();
    }

    /// The format of an image.
    ///
    /// @throws BadImage if it is none of these formats
    static ImageFormat of(MemorySegment bytes) throws BadImage {
        long size = bytes.byteSize();
        if (size < MIN_BYTES) {
            throw new BadImage(size == 0 ? "is empty" : "has " + size + " bytes, too few for an image");
        }
        int first = ImageBytes.intBig(bytes, 0);
        if (first >>> 8 == 0xFFD8FF) {
            return JPEG;
        }
        if (first == 0x89504E47 && ImageBytes.intBig(bytes, 4) == 0x0D0A1A0A) {
            return PNG;
        }
        if (first == 0x52494646 && ImageBytes.intBig(bytes, 8) == 0x57454250) {
            return WEBP;
        }
        if (first == 0x47494638) {
            return GIF;
        }
        if (first >>> 16 == 0x424D) {
            return BMP;
        }
        if (first == 0x49492A00 || first == 0x4D4D002A || first == 0x49492B00 || first == 0x4D4D002B) {
            return TIFF;
        }
        byte[] start = bytes.asSlice(0, 8).toArray(JAVA_BYTE);
        throw new BadImage("is no image of a known format (JPEG, PNG, WebP, GIF, BMP, TIFF): it begins with "
                + java.util.HexFormat.ofDelimiter(" ").formatHex(start));
    }
}
