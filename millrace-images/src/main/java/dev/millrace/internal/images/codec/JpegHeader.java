package dev.millrace.internal.images.codec;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads the segments of a JPEG file before its frame.
final class JpegHeader {
    private static final int FRAME = 0xC0;
    private static final int PROGRESSIVE = 0xC2;
    private static final int HUFFMAN_TABLES = 0xC4;
    private static final int EXTENSION = 0xC8;
    private static final int ARITHMETIC = 0xCC;
    private static final int LAST_FRAME = 0xCF;
    private static final int START_OF_SCAN = 0xDA;
    private static final int END = 0xD9;
    private static final int APP1 = 0xE1;

    private static final byte[] XMP = "http://ns.adobe.com/xap/1.0/\0".getBytes(StandardCharsets.US_ASCII);

    private JpegHeader() {}

    /// Describes unusual properties: "coded without loss, 12 bits a sample"; empty if there are none.
    static String unusual(MemorySegment bytes) throws BadImage {
        long frame = frame(bytes, (_, _) -> {});
        int marker = ImageBytes.unsigned(bytes, frame + 1);
        List<String> found = new ArrayList<>();
        if (marker > PROGRESSIVE) {
            found.add("frames of the kind " + Integer.toHexString(marker) + " (arithmetic, lossless or hierarchical)");
        }
        if (ImageBytes.unsigned(bytes, frame + 4) != 8) {
            found.add(ImageBytes.unsigned(bytes, frame + 4) + " bits a sample");
        }
        return String.join(", ", found);
    }

    static ImageHeader of(MemorySegment bytes) throws BadImage {
        int[] said = {TiffDirectory.NO_ORIENTATION, TiffDirectory.NO_ORIENTATION};
        long at = frame(bytes, (from, to) -> {
            if (said[0] == TiffDirectory.NO_ORIENTATION) {
                said[0] = TiffDirectory.exifOrientation(bytes, from, to);
            }
            if (isXmp(bytes, from, to)) {
                said[1] = XmpOrientation.of(bytes.asSlice(from, to - from));
            }
        });
        return new ImageHeader(
                ImageFormat.JPEG,
                ImageBytes.shortBig(bytes, at + 7),
                ImageBytes.shortBig(bytes, at + 5),
                ImageBytes.unsigned(bytes, at + 9),
                false,
                ImageHeader.orientation(said[0], said[1]));
    }

    /// Receives the range of an application segment.
    private interface Data {
        void found(long from, long to);
    }

    /// The position of the frame header, which contains the size.
    private static long frame(MemorySegment bytes, Data data) throws BadImage {
        long at = 2;
        while (true) {
            int marker = ImageBytes.unsigned(bytes, at + 1);
            if (ImageBytes.unsigned(bytes, at) != 0xFF || marker == 0xFF || marker == 0) {
                // Padding, or bytes outside any segment: the decoder skips them too.
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
            long length = ImageBytes.shortBig(bytes, at + 2);
            if (length < 2) {
                throw new BadImage("is a JPEG image with a segment of " + length + " bytes at byte " + at);
            }
            if (isFrame(marker)) {
                return at;
            }
            if (marker == APP1) {
                data.found(at + 4, Math.min(bytes.byteSize(), at + 2 + length));
            }
            at += 2 + length;
        }
    }

    private static boolean isXmp(MemorySegment bytes, long from, long to) {
        return to - from > XMP.length
                && MemorySegment.mismatch(bytes, from, from + XMP.length, MemorySegment.ofArray(XMP), 0, XMP.length)
                        < 0;
    }

    /// Whether this is a marker without a segment: restarts, the start of the image, and TEM.
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
