package dev.millrace.internal.images.codec;

import java.lang.foreign.MemorySegment;

/// The first directory of a TIFF file, or of the EXIF data in files of other formats, which has the same form.
final class TiffDirectory {
    private static final int WIDTH = 256;
    private static final int HEIGHT = 257;
    private static final int PHOTOMETRIC = 262;
    private static final int ORIENTATION = 274;
    private static final int SAMPLES = 277;

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
        int order = Bytes.shortBig(bytes, 0);
        if (order != 0x4949 && order != 0x4D4D) {
            throw new BadImage("has a TIFF directory without a byte order");
        }
        this.little = order == 0x4949;
        this.big = Bytes.shortAt(bytes, 2, little) == 43;
        long at = big ? Bytes.longAt(bytes, 8, little) : Bytes.intAt(bytes, 4, little);
        if (at < 8 || at > bytes.byteSize() - 2) {
            throw new IndexOutOfBoundsException();
        }
        long count = big ? Bytes.longAt(bytes, at, little) : Bytes.shortAt(bytes, at, little);
        this.start = at + (big ? 8 : 2);
        this.entries = Math.clamp(count, 0, (bytes.byteSize() - start) / entryBytes());
    }

    /// @throws IndexOutOfBoundsException if the file ends before it
    static TiffDirectory first(MemorySegment bytes) throws BadImage {
        return new TiffDirectory(bytes);
    }

    private int entryBytes() {
        return big ? 20 : 12;
    }

    /// The one number that an entry has.
    private long number(int tag, long otherwise) {
        for (long i = 0; i < entries; i++) {
            long at = start + i * entryBytes();
            if (Bytes.shortAt(bytes, at, little) == tag) {
                long value = at + (big ? 12 : 8);
                return switch (Bytes.shortAt(bytes, at + 2, little)) {
                    case SHORT -> Bytes.shortAt(bytes, value, little);
                    case LONG -> Bytes.intAt(bytes, value, little);
                    case LONG8 -> Bytes.longAt(bytes, value, little);
                    default -> otherwise;
                };
            }
        }
        return otherwise;
    }

    /// OpenCV turns TIFF images upright by itself: what is told here is how they come.
    ImageHeader header() throws BadImage {
        long width = number(WIDTH, 0);
        long height = number(HEIGHT, 0);
        if (width < 1 || height < 1 || width > Integer.MAX_VALUE || height > Integer.MAX_VALUE) {
            throw new BadImage("is a TIFF image of " + width + " x " + height + " pixels");
        }
        int samples = (int) Math.clamp(number(SAMPLES, 1), 1, 4);
        long photometric = number(PHOTOMETRIC, 1);
        boolean alpha = samples == 2 || samples == 4 && photometric == 2;
        boolean lying = orientation() >= 5;
        return new ImageHeader(
                ImageFormat.TIFF,
                (int) (lying ? height : width),
                (int) (lying ? width : height),
                samples == 1 && photometric > 1 ? 3 : samples,
                alpha,
                1);
    }

    private int orientation() {
        return ImageHeader.orientation((int) number(ORIENTATION, 1));
    }

    /// The orientation that EXIF data has; 1 if it has none or is broken.
    static int orientation(MemorySegment exif) {
        try {
            return new TiffDirectory(exif).orientation();
        } catch (BadImage | IndexOutOfBoundsException e) {
            return 1;
        }
    }

    /// The orientation of a segment that begins with `Exif`; 1 for other segments.
    static int exifOrientation(MemorySegment bytes, long from, long to) {
        return to - from > 6 && Bytes.intBig(bytes, from) == 0x45786966
                ? orientation(bytes.asSlice(from + 6, to - from - 6))
                : 1;
    }
}
