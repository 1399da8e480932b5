package dev.millrace.internal.images.codec;

import java.lang.foreign.MemorySegment;

/// The layout of a BMP file: the headers of Windows (40 to 124 bytes) and OS/2 (12 and 64).
///
/// @param topDown whether the first row in the file is the top one
/// @param runs whether pixels are run-length encoded
/// @param masks the bits of red, green, blue and alpha in a 16-bit or 32-bit pixel; empty otherwise
/// @param palette the offset of the palette
/// @param paletteEntry the number of bytes per palette entry
/// @param colours the number of palette entries
/// @param pixels the offset of the pixels
record BmpHeader(
        int width,
        int height,
        boolean topDown,
        int bits,
        boolean runs,
        int[] masks,
        long palette,
        int paletteEntry,
        int colours,
        long pixels) {
    private static final int FILE_HEADER = 14;
    private static final int CORE = 12;
    private static final int INFO = 40;
    private static final int WITH_ALPHA_MASK = 56;
    private static final int OS2 = 64;

    private static final int PLAIN = 0;
    private static final int RUNS_8 = 1;
    private static final int RUNS_4 = 2;
    private static final int BIT_FIELDS = 3;
    private static final int ALPHA_BIT_FIELDS = 6;

    /// The default masks of a 16-bit pixel: five bits per channel.
    private static final int[] FIVE_BITS = {0x7C00, 0x3E0, 0x1F, 0};
    /// The default masks of a 32-bit pixel. The fourth byte is not alpha by default: many programs leave it 0.
    private static final int[] EIGHT_BITS = {0xFF0000, 0xFF00, 0xFF, 0};

    private static final int[] EIGHT_BITS_WITH_ALPHA = {0xFF0000, 0xFF00, 0xFF, 0xFF000000};
    private static final int[] NO_MASKS = {};

    /// @throws IndexOutOfBoundsException if the file ends within the header
    static BmpHeader of(MemorySegment file) throws BadImage {
        int size = ImageBytes.intLittle(file, FILE_HEADER);
        boolean core = size == CORE;
        boolean known = core
                || size == INFO
                || size == 52
                || size == WITH_ALPHA_MASK
                || size == OS2
                || size == 108
                || size == 124;
        if (!known) {
            throw new BadImage("is a BMP image with a header of " + size + " bytes, which is of no known kind");
        }
        int height = core ? ImageBytes.shortLittle(file, 20) : ImageBytes.intLittle(file, 22);
        if (height == Integer.MIN_VALUE) {
            throw new BadImage("is a BMP image whose height is no number of pixels");
        }
        int bits = ImageBytes.shortLittle(file, core ? 24 : 28);
        int compression = core ? PLAIN : ImageBytes.intLittle(file, 30);
        requireKnown(bits, compression, size);
        boolean fields = compression == BIT_FIELDS || compression == ALPHA_BIT_FIELDS;
        // A header without fields for masks is followed by them.
        int behind = !fields || size != INFO ? 0 : compression == ALPHA_BIT_FIELDS ? 16 : 12;
        int entry = core ? 3 : 4;
        long palette = FILE_HEADER + (long) size + behind;
        int most = bits <= 8 ? 1 << bits : 0;
        int stated = core ? 0 : ImageBytes.intLittle(file, 46);
        int colours = stated > 0 && stated < most ? stated : most;
        long pixels = ImageBytes.intLittle(file, 10) & 0xFFFF_FFFFL;
        if (pixels == FILE_HEADER + (long) size) {
            // The offset of programs that do not count the palette.
            pixels = palette + (long) entry * colours;
        }
        return new BmpHeader(
                core ? ImageBytes.shortLittle(file, 18) : ImageBytes.intLittle(file, 18),
                Math.abs(height),
                height < 0,
                bits,
                compression == RUNS_8 || compression == RUNS_4,
                masks(file, bits, size, compression, fields),
                palette,
                entry,
                colours,
                pixels);
    }

    private static void requireKnown(int bits, int compression, int size) throws BadImage {
        boolean known = switch (compression) {
            case PLAIN -> bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
            case RUNS_8 -> bits == 8;
            case RUNS_4 -> bits == 4;
            // OS/2 uses these values for other compressions.
            case BIT_FIELDS, ALPHA_BIT_FIELDS -> size != OS2 && (bits == 16 || bits == 24 || bits == 32);
            default -> false;
        };
        if (!known) {
            throw new BadImage("is a BMP image of an unknown kind: " + bits + " bits a pixel, compression "
                    + Integer.toUnsignedString(compression));
        }
    }

    private static int[] masks(MemorySegment file, int bits, int size, int compression, boolean fields)
            throws BadImage {
        if (!fields) {
            return bits == 16 ? FIVE_BITS : bits == 32 ? EIGHT_BITS : NO_MASKS;
        }
        int[] masks = new int[4];
        boolean alpha = size >= WITH_ALPHA_MASK || compression == ALPHA_BIT_FIELDS;
        int all = 0;
        for (int i = 0; i < (alpha ? 4 : 3); i++) {
            masks[i] = ImageBytes.intLittle(file, FILE_HEADER + INFO + 4L * i);
            boolean oneRun = masks[i] == 0
                    || Integer.bitCount(masks[i])
                            == 32 - Integer.numberOfLeadingZeros(masks[i]) - Integer.numberOfTrailingZeros(masks[i]);
            if (!oneRun || (all & masks[i]) != 0 || bits == 16 && masks[i] >>> 16 != 0) {
                throw new BadImage("is a BMP image whose masks of colours are no separate runs of bits: "
                        + Integer.toHexString(masks[0]) + ", " + Integer.toHexString(masks[1]) + ", "
                        + Integer.toHexString(masks[2]) + ", " + Integer.toHexString(masks[3]));
            }
            all |= masks[i];
        }
        if (bits == 24) {
            return requireUsual(masks);
        }
        return all == 0 && bits == 32 ? EIGHT_BITS_WITH_ALPHA : masks;
    }

    private static int[] requireUsual(int[] masks) throws BadImage {
        for (int i = 0; i < 3; i++) {
            if (masks[i] != EIGHT_BITS[i]) {
                throw new BadImage("is a BMP image of 24 bits a pixel whose colours lie in other than three bytes");
            }
        }
        return NO_MASKS;
    }

    boolean alpha() {
        return masks.length == 4 && masks[3] != 0;
    }

    ImageHeader header() {
        return new ImageHeader(ImageFormat.BMP, width, height, alpha() ? 4 : 3, alpha(), 1);
    }
}
