package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// The orientation in the XMP data of an image, found as PIL finds it: the first `tiff:Orientation="6` or
/// `tiff:Orientation>6` in its text. An EXIF orientation takes precedence.
final class XmpOrientation {
    private static final byte[] NAME = "tiff:Orientation".getBytes(StandardCharsets.US_ASCII);

    private XmpOrientation() {}

    /// @return 0 to 9, or [TiffDirectory#NO_ORIENTATION] if there is none
    static int of(MemorySegment xmp) {
        for (long at = 0; at + NAME.length + 2 <= xmp.byteSize(); at++) {
            if (xmp.get(JAVA_BYTE, at) == NAME[0] && isName(xmp, at)) {
                int digit = digitAt(xmp, at + NAME.length);
                if (digit >= 0) {
                    return digit;
                }
            }
        }
        return TiffDirectory.NO_ORIENTATION;
    }

    private static boolean isName(MemorySegment xmp, long at) {
        return MemorySegment.mismatch(xmp, at, at + NAME.length, MemorySegment.ofArray(NAME), 0, NAME.length) < 0;
    }

    /// The digit after `="` or `>`; -1 for anything else.
    private static int digitAt(MemorySegment xmp, long at) {
        long digit = xmp.get(JAVA_BYTE, at) == '>'
                ? at + 1
                : xmp.get(JAVA_BYTE, at) == '=' && xmp.get(JAVA_BYTE, at + 1) == '"' ? at + 2 : xmp.byteSize();
        int value = digit < xmp.byteSize() ? xmp.get(JAVA_BYTE, digit) - '0' : -1;
        return value >= 0 && value <= 9 ? value : -1;
    }
}
