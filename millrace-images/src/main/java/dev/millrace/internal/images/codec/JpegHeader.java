package dev.millrace.internal.images.codec;

import java.lang.foreign.MemorySegment;

/// The segments of a JPEG file before its frame.
final class JpegHeader {
    private static final int FRAME = 0xC0;
    private static final int HUFFMAN_TABLES = 0xC4;
    private static final int EXTENSION = 0xC8;
    private static final int ARITHMETIC = 0xCC;
    private static final int LAST_FRAME = 0xCF;
    private static final int START_OF_SCAN = 0xDA;
    private static final int END = 0xD9;
    private static final int APP1 = 0xE1;

    private JpegHeader() {}

    static ImageHeader of(MemorySegment bytes) throws BadImage {
        int orientation = 1;
        long at = 2;
        while (true) {
            int marker = Bytes.unsigned(bytes, at + 1);
            if (Bytes.unsigned(bytes, at) != 0xFF || marker == 0xFF || marker == 0) {
                // Bytes that belong to no segment, or padding: the decoder passes over them too.
                at++;
                continue;
            }
            if (marker == START_OF_SCAN || marker == END) {
                throw new BadImage("is a JPEG image without a size");
            }
            if (isAlone(marker)) {
                at += 2;
                continue;
            }
            long length = Bytes.shortBig(bytes, at + 2);
            if (length < 2) {
                throw new BadImage("is a JPEG image with a segment of " + length + " bytes at byte " + at);
            }
            if (isFrame(marker)) {
                return new ImageHeader(
                        ImageFormat.JPEG,
                        Bytes.shortBig(bytes, at + 7),
                        Bytes.shortBig(bytes, at + 5),
                        Bytes.unsigned(bytes, at + 9),
                        false,
                        orientation);
            }
            if (marker == APP1 && orientation == 1) {
                orientation = TiffDirectory.exifOrientation(bytes, at + 4, Math.min(bytes.byteSize(), at + 2 + length));
            }
            at += 2 + length;
        }
    }

    /// Markers without a segment: restarts, the start of the image, and TEM.
    private static boolean isAlone(int marker) {
        return marker >= 0xD0 && marker <= 0xD8 || marker == 1;
    }

    private static boolean isFrame(int marker) {
        return marker >= FRAME
                && marker <= LAST_FRAME
                && marker != HUFFMAN_TABLES
                && marker != EXTENSION
                && marker != ARITHMETIC;
    }
}
