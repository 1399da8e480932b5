package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.InflaterInputStream;

/// A text chunk of a PNG file (tEXt, zTXt or iTXt), read because it may contain an orientation.
///
/// @param keyword the kind of text
record PngText(String keyword, byte[] text) {
    static final int PLAIN = 0x74455874;
    static final int COMPRESSED = 0x7A545874;
    static final int INTERNATIONAL = 0x69545874;

    /// The keyword of EXIF data as ImageMagick writes it without an eXIf chunk: hexadecimal digits after three lines.
    private static final String EXIF_PROFILE = "Raw profile type exif";

    private static final String XMP = "XML:com.adobe.xmp";
    private static final int HEAD_LINES = 3;
    /// PIL's limit: a text that decompresses to more is ignored.
    private static final int MAX_TEXT = 1 << 20;

    private static final int MAX_KEYWORD = 79;
    private static final byte[] NONE = {};

    /// @param type the type of the chunk
    /// @param chunk the data of the chunk
    static PngText of(int type, MemorySegment chunk) {
        long end = zero(chunk, 0);
        if (end > MAX_KEYWORD || end == chunk.byteSize()) {
            return new PngText("", NONE);
        }
        String keyword = new String(chunk.asSlice(0, end).toArray(JAVA_BYTE), StandardCharsets.ISO_8859_1);
        if (!keyword.equals(EXIF_PROFILE) && !keyword.equals(XMP)) {
            return new PngText(keyword, NONE);
        }
        long at = end + 1;
        boolean packed = type == COMPRESSED;
        if (type == COMPRESSED) {
            at++;
        } else if (type == INTERNATIONAL && at + 2 <= chunk.byteSize()) {
            packed = chunk.get(JAVA_BYTE, at) != 0;
            long language = zero(chunk, at + 2);
            at = Math.min(chunk.byteSize(), zero(chunk, language + 1) + 1);
        }
        if (at >= chunk.byteSize()) {
            return new PngText(keyword, NONE);
        }
        byte[] bytes =
                chunk.asSlice(at, Math.min(MAX_TEXT, chunk.byteSize() - at)).toArray(JAVA_BYTE);
        return new PngText(keyword, packed ? inflated(bytes) : bytes);
    }

    /// The position of the next zero byte, or the end.
    private static long zero(MemorySegment bytes, long from) {
        long at = from;
        while (at < bytes.byteSize() && bytes.get(JAVA_BYTE, at) != 0) {
            at++;
        }
        return Math.min(at, bytes.byteSize());
    }

    private static byte[] inflated(byte[] packed) {
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
            byte[] text = in.readNBytes(MAX_TEXT + 1);
            return text.length > MAX_TEXT ? NONE : text;
        } catch (IOException e) {
            return NONE;
        }
    }

    /// The orientation if this is EXIF data; otherwise [TiffDirectory#NO_ORIENTATION].
    int exifOrientation() {
        if (!keyword.equals(EXIF_PROFILE)) {
            return TiffDirectory.NO_ORIENTATION;
        }
        String[] lines = new String(text, StandardCharsets.ISO_8859_1).split("\n", HEAD_LINES + 1);
        if (lines.length <= HEAD_LINES) {
            return TiffDirectory.NO_ORIENTATION;
        }
        try {
            MemorySegment exif =
                    MemorySegment.ofArray(HexFormat.of().parseHex(lines[HEAD_LINES].replaceAll("\\s", "")));
            int behindName = TiffDirectory.exifOrientation(exif, 0, exif.byteSize());
            return behindName == TiffDirectory.NO_ORIENTATION ? TiffDirectory.orientation(exif) : behindName;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return TiffDirectory.NO_ORIENTATION;
        }
    }

    /// The orientation if this is XMP data; otherwise [TiffDirectory#NO_ORIENTATION].
    int xmpOrientation() {
        return keyword.equals(XMP) ? XmpOrientation.of(MemorySegment.ofArray(text)) : TiffDirectory.NO_ORIENTATION;
    }
}
