package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Reads the chunks of a PNG file: those before the pixels at once, those of the pixels one by one. The checksum of
/// each chunk is verified. One thread; an instance is reused for one file after the other.
final class PngChunks {
    private static final int SIGNATURE = 8;
    private static final int IHDR = 0x49484452;
    private static final int PLTE = 0x504C5445;
    private static final int TRNS = 0x74524E53;
    private static final int IDAT = 0x49444154;
    private static final int IEND = 0x49454E44;

    private static final byte[] NONE = {};

    private final CRC32 checksum = new CRC32();
    private MemorySegment file = MemorySegment.NULL;
    private long next;

    int depth;
    int colours;
    boolean interlaced;
    /// Red, green and blue of each palette entry.
    byte[] palette = NONE;
    /// The alpha of the palette entries, or the transparent sample values; empty if there are none.
    byte[] transparency = NONE;

    /// Reads all chunks up to the pixels.
    void begin(MemorySegment bytes) throws BadImage {
        file = bytes;
        next = SIGNATURE;
        palette = NONE;
        transparency = NONE;
        while (true) {
            long at = next;
            long length = length(at);
            switch (ImageBytes.intBig(file, at + 4)) {
                case IHDR -> {
                    check(at, length);
                    depth = ImageBytes.unsigned(file, at + 16);
                    colours = ImageBytes.unsigned(file, at + 17);
                    interlaced = ImageBytes.unsigned(file, at + 20) == 1;
                    requireKnown(ImageBytes.unsigned(file, at + 18), ImageBytes.unsigned(file, at + 19));
                }
                case PLTE -> {
                    check(at, length);
                    palette = file.asSlice(at + 8, length).toArray(JAVA_BYTE);
                }
                case TRNS -> {
                    check(at, length);
                    transparency = file.asSlice(at + 8, length).toArray(JAVA_BYTE);
                }
                case IDAT -> {
                    if (colours == 3 && palette.length < 3) {
                        throw new BadImage("is a PNG image without its palette");
                    }
                    return;
                }
                case IEND -> throw new BadImage("is a PNG image without pixels");
                default -> {
                    // Text, time and profile chunks are skipped.
                }
            }
            next = at + 12 + length;
        }
    }

    private void requireKnown(int compression, int filter) throws BadImage {
        boolean known = switch (colours) {
            case 0 -> depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
            case 3 -> depth == 1 || depth == 2 || depth == 4 || depth == 8;
            case 2, 4, 6 -> depth == 8 || depth == 16;
            default -> false;
        };
        if (!known || compression != 0 || filter != 0) {
            throw new BadImage("is a PNG image of an unknown kind: colour type " + colours + ", " + depth + " bits");
        }
    }

    /// The next compressed bytes of the pixels; null after the last.
    @Nullable
    ByteBuffer pixels() throws BadImage {
        while (next + 12 <= file.byteSize()) {
            long at = next;
            long length = length(at);
            int type = ImageBytes.intBig(file, at + 4);
            if (type == IEND) {
                return null;
            }
            next = at + 12 + length;
            if (type == IDAT && length > 0) {
                check(at, length);
                return file.asSlice(at + 8, length).asByteBuffer();
            }
        }
        return null;
    }

    private long length(long at) throws BadImage {
        if (at + 12 > file.byteSize()) {
            throw new BadImage("is a PNG image that is cut off at byte " + file.byteSize());
        }
        long length = ImageBytes.intBig(file, at) & 0xFFFF_FFFFL;
        if (length > file.byteSize() - at - 12) {
            throw new BadImage("is a PNG image that is damaged or cut off: a part of " + length + " bytes at byte " + at
                    + " ends behind the file, at " + file.byteSize());
        }
        return length;
    }

    private void check(long at, long length) throws BadImage {
        checksum.reset();
        checksum.update(file.asSlice(at + 4, length + 4).asByteBuffer());
        if ((int) checksum.getValue() != ImageBytes.intBig(file, at + 8 + length)) {
            throw new BadImage("is a PNG image that is damaged: the checksum of the part at byte " + at + " is wrong");
        }
    }

    /// The number of bits per pixel.
    int pixelBits() {
        return depth
                * switch (colours) {
                    case 2 -> 3;
                    case 4 -> 2;
                    case 6 -> 4;
                    default -> 1;
                };
    }

    /// Drops the reference to the file.
    void end() {
        file = MemorySegment.NULL;
    }
}
