package dev.millrace.internal.images.codec;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The first directory of a TIFF file, or of EXIF data in files of other formats, which has the same structure.
final class TiffDirectory {
    /// There is no orientation, or none that can be read.
    static final int NO_ORIENTATION = -1;

    private static final int WIDTH = 256;
    private static final int HEIGHT = 257;
    private static final int BITS = 258;
    private static final int COMPRESSION = 259;
    private static final int PHOTOMETRIC = 262;
    private static final int ORIENTATION = 274;
    private static final int SAMPLES = 277;
    private static final int SAMPLE_FORMAT = 339;
    private static final int XMP = 700;

    /// None, fax, LZW, JPEG, Deflate, PackBits.
    private static final Set<Long> DEFAULT_COMPRESSIONS = Set.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 32773L, 32946L);

    private static final int SHORT = 3;
    private static final int LONG = 4;
    private static final int LONG8 = 16;

    private final MemorySegment bytes;
    private final boolean little;
    private final boolean big;
    private final long start;
    private final long entries;

    private TiffDirectory(MemorySegment bytes) throws BadImage {
        this.bytes = bytes;
        int order = ImageBytes.shortBig(bytes, 0);
        if (order != 0x4949 && order != 0x4D4D) {
            throw new BadImage("has a TIFF directory without a byte order");
        }
        this.little = order == 0x4949;
        this.big = ImageBytes.shortAt(bytes, 2, little) == 43;
        long at = big ? ImageBytes.longAt(bytes, 8, little) : ImageBytes.intAt(bytes, 4, little);
        if (at < 8 || at > bytes.byteSize() - 2) {
            throw new IndexOutOfBoundsException();
        }
        long count = big ? ImageBytes.longAt(bytes, at, little) : ImageBytes.shortAt(bytes, at, little);
        this.start = at + (big ? 8 : 2);
        this.entries = Math.clamp(count, 0, (bytes.byteSize() - start) / entryBytes());
    }

    /// @throws IndexOutOfBoundsException if the file ends within the directory
    static TiffDirectory first(MemorySegment bytes) throws BadImage {
        return new TiffDirectory(bytes);
    }

    private int entryBytes() {
        return big ? 20 : 12;
    }

    /// The value of an entry with a single number.
    private long number(int tag, long otherwise) {
        for (long i = 0; i < entries; i++) {
            long at = start + i * entryBytes();
            if (ImageBytes.shortAt(bytes, at, little) == tag) {
                long value = at + (big ? 12 : 8);
                return switch (ImageBytes.shortAt(bytes, at + 2, little)) {
                    case SHORT -> ImageBytes.shortAt(bytes, value, little);
                    case LONG -> ImageBytes.intAt(bytes, value, little);
                    case LONG8 -> ImageBytes.longAt(bytes, value, little);
                    default -> otherwise;
                };
            }
        }
        return otherwise;
    }

    /// The header of the decoded image: OpenCV turns TIFF images upright itself, so this describes the turned image.
    ImageHeader header() throws BadImage {
        long width = number(WIDTH, 0);
        long height = number(HEIGHT, 0);
        if (width < 1 || height < 1 || width > Integer.MAX_VALUE || height > Integer.MAX_VALUE) {
            throw new BadImage("is a TIFF image of " + width + " x " + height + " pixels");
        }
        int samples = Math.clamp(number(SAMPLES, 1), 1, 4);
        long photometric = number(PHOTOMETRIC, 1);
        boolean alpha = samples == 2 || samples == 4 && photometric == 2;
        long said = number(ORIENTATION, NO_ORIENTATION);
        boolean lying = said >= 5 && said <= 8;
        return new ImageHeader(
                ImageFormat.TIFF,
                (int) (lying ? height : width),
                (int) (lying ? width : height),
                samples == 1 && photometric > 1 ? 3 : samples,
                alpha,
                said == NO_ORIENTATION ? ImageHeader.orientation(xmpOrientation()) : 1);
    }

    /// The orientation in XMP data, which OpenCV ignores.
    private int xmpOrientation() {
        for (long i = 0; i < entries; i++) {
            long at = start + i * entryBytes();
            if (ImageBytes.shortAt(bytes, at, little) == XMP) {
                long length = big ? ImageBytes.longAt(bytes, at + 4, little) : ImageBytes.intAt(bytes, at + 4, little);
                long from = big ? ImageBytes.longAt(bytes, at + 12, little) : ImageBytes.intAt(bytes, at + 8, little);
                boolean inside = length > 8 && from > 0 && from < bytes.byteSize() && length <= bytes.byteSize() - from;
                return inside ? XmpOrientation.of(bytes.asSlice(from, length)) : NO_ORIENTATION;
            }
        }
        return NO_ORIENTATION;
    }

    /// Describes unusual properties: "32 bits a sample, compression 50000"; empty if there are none.
    String unusual() {
        List<String> found = new ArrayList<>();
        // With more than two samples the bit depths are stored elsewhere; they are then assumed to be usual.
        long bits = number(SAMPLES, 1) <= 2 ? number(BITS, 1) : 8;
        if (bits != 1 && bits != 8 && bits != 16) {
            found.add(bits + " bits a sample");
        }
        if (number(SAMPLE_FORMAT, 1) > 1) {
            found.add("samples that are no whole numbers from 0");
        }
        long compression = number(COMPRESSION, 1);
        if (!DEFAULT_COMPRESSIONS.contains(compression)) {
            found.add("compression " + compression);
        }
        return String.join(", ", found);
    }

    /// The orientation of EXIF data, as stored; [#NO_ORIENTATION] if there is none or the data is damaged.
    static int orientation(MemorySegment exif) {
        try {
            return (int) new TiffDirectory(exif).number(ORIENTATION, NO_ORIENTATION);
        } catch (BadImage | IndexOutOfBoundsException e) {
            return NO_ORIENTATION;
        }
    }

    /// The orientation of a segment that begins with `Exif`; [#NO_ORIENTATION] for other segments.
    static int exifOrientation(MemorySegment bytes, long from, long to) {
        return to - from > 6 && ImageBytes.intBig(bytes, from) == 0x45786966
                ? orientation(bytes.asSlice(from + 6, to - from - 6))
                : NO_ORIENTATION;
    }
}
