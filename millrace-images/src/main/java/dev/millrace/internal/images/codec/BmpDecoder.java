package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Decodes BMP files like PIL, and also bit masks that PIL rejects. OpenCV misinterprets all but the usual masks and
/// silently returns wrong colours.
final class BmpDecoder {
    private static final int END_OF_LINE = 0;
    private static final int END_OF_IMAGE = 1;
    private static final int MOVE = 2;

    private BmpDecoder() {}

    /// @param channels 3, or 4 if the header declares alpha
    /// @param target receives height x width x channels, red first
    static void decode(MemorySegment file, int channels, MemorySegment target) throws BadImage {
        try {
            BmpHeader header = BmpHeader.of(file);
            if (header.bits() <= 8) {
                palette(file, header, channels, target);
            } else {
                direct(file, header, channels, target);
            }
        } catch (IndexOutOfBoundsException e) {
            throw new BadImage("is a BMP image that is cut off at byte " + file.byteSize());
        }
    }

    private static long rowBytes(BmpHeader header) {
        return ((long) header.width() * header.bits() + 31) / 32 * 4;
    }

    private static long targetRow(BmpHeader header, int row) {
        return header.topDown() ? row : header.height() - 1L - row;
    }

    private static void direct(MemorySegment file, BmpHeader header, int channels, MemorySegment target) {
        int[] masks = header.masks();
        int bytes = header.bits() / 8;
        byte[][] scales = new byte[masks.length][];
        int[] shifts = new int[masks.length];
        for (int c = 0; c < masks.length; c++) {
            shifts[c] = Integer.numberOfTrailingZeros(masks[c]) & 31;
            scales[c] = scale(masks[c]);
        }
        for (int row = 0; row < header.height(); row++) {
            long from = header.pixels() + row * rowBytes(header);
            long to = targetRow(header, row) * header.width() * channels;
            for (int x = 0; x < header.width(); x++, from += bytes, to += channels) {
                if (bytes == 3) {
                    for (int c = 0; c < 3; c++) {
                        target.set(JAVA_BYTE, to + c, file.get(JAVA_BYTE, from + 2 - c));
                    }
                    if (channels == 4) {
                        target.set(JAVA_BYTE, to + 3, (byte) 255);
                    }
                    continue;
                }
                int pixel = bytes == 2 ? ImageBytes.shortLittle(file, from) : ImageBytes.intLittle(file, from);
                for (int c = 0; c < channels; c++) {
                    target.set(JAVA_BYTE, to + c, value(pixel, masks[c], shifts[c], scales[c]));
                }
            }
        }
    }

    private static byte value(int pixel, int mask, int shift, byte @Nullable [] scale) {
        int bits = (pixel & mask) >>> shift;
        return scale == null ? (byte) (bits >>> Integer.bitCount(mask) - 8) : scale[bits];
    }

    /// A lookup table from each value of up to eight bits to a byte; null for more bits, of which the upper eight are
    /// used. A channel without bits is black, as in PIL.
    private static byte @Nullable [] scale(int mask) {
        int bits = Integer.bitCount(mask);
        if (bits > 8) {
            return null;
        }
        int most = (1 << bits) - 1;
        byte[] scale = new byte[most + 1];
        for (int i = 1; i <= most; i++) {
            scale[i] = (byte) (i * 255 / most);
        }
        return scale;
    }

    private static void palette(MemorySegment file, BmpHeader header, int channels, MemorySegment target)
            throws BadImage {
        byte[] colours = new byte[256 * 4];
        for (int i = 0; i < header.colours(); i++) {
            long at = header.palette() + (long) i * header.paletteEntry();
            for (int c = 0; c < 3; c++) {
                colours[4 * i + c] = file.get(JAVA_BYTE, at + 2 - c);
            }
        }
        byte[] row = new byte[header.width()];
        Runs runs = header.runs() ? new Runs(file, header) : null;
        int perByte = 8 / header.bits();
        int mask = (1 << header.bits()) - 1;
        for (int y = 0; y < header.height(); y++) {
            if (runs != null) {
                runs.next(row);
            } else {
                long from = header.pixels() + y * rowBytes(header);
                for (int x = 0; x < row.length; x++) {
                    int shift = 8 - header.bits() * (x % perByte + 1);
                    row[x] = (byte) (ImageBytes.unsigned(file, from + x / perByte) >> shift & mask);
                }
            }
            long to = targetRow(header, y) * row.length * channels;
            for (int x = 0; x < row.length; x++, to += channels) {
                MemorySegment.copy(colours, 4 * (row[x] & 0xFF), target, JAVA_BYTE, to, 3);
                if (channels == 4) {
                    target.set(JAVA_BYTE, to + 3, (byte) 255);
                }
            }
        }
    }

    /// Decodes the rows of a run-length encoded image one after the other. Pixels that no run covers have the first
    /// colour.
    private static final class Runs {
        private final MemorySegment file;
        private final boolean nibbles;
        private long at;
        /// The number of pixels of the first colour before the next run: skipped rows and columns.
        private long skip;

        private boolean ended;

        Runs(MemorySegment file, BmpHeader header) {
            this.file = file;
            this.nibbles = header.bits() == 4;
            this.at = header.pixels();
        }

        void next(byte[] row) throws BadImage {
            Arrays.fill(row, (byte) 0);
            if (skip >= row.length) {
                skip -= row.length;
                return;
            }
            int x = (int) skip;
            skip = 0;
            while (!ended) {
                int count = ImageBytes.unsigned(file, at);
                int code = ImageBytes.unsigned(file, at + 1);
                at += 2;
                if (count > 0) {
                    for (int i = 0; i < count && x < row.length; i++, x++) {
                        row[x] = (byte) (!nibbles ? code : i % 2 == 0 ? code >> 4 : code & 15);
                    }
                } else if (code == END_OF_LINE) {
                    return;
                } else if (code == END_OF_IMAGE) {
                    ended = true;
                } else if (code == MOVE) {
                    long moved =
                            x + ImageBytes.unsigned(file, at) + (long) ImageBytes.unsigned(file, at + 1) * row.length;
                    at += 2;
                    if (moved >= row.length) {
                        skip = moved - row.length;
                        return;
                    }
                    x = (int) moved;
                } else {
                    x = literal(row, x, code);
                }
                if (x >= row.length && !endsLine()) {
                    return;
                }
            }
        }

        /// A full row may be followed by its end-of-line marker, which is then consumed with it.
        private boolean endsLine() {
            return at + 1 < file.byteSize()
                    && ImageBytes.unsigned(file, at) == 0
                    && ImageBytes.unsigned(file, at + 1) <= END_OF_IMAGE;
        }

        private int literal(byte[] row, int x, int count) {
            for (int i = 0; i < count; i++) {
                int two = ImageBytes.unsigned(file, at + (nibbles ? i / 2 : i));
                if (x < row.length) {
                    row[x++] = (byte) (!nibbles ? two : i % 2 == 0 ? two >> 4 : two & 15);
                }
            }
            long bytes = nibbles ? (count + 1) / 2 : count;
            at += bytes + (bytes & 1);
            return x;
        }
    }
}
