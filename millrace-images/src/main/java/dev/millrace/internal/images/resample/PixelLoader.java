package dev.millrace.internal.images.resample;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Loads pixels of an image into lines of packed ints: one line per row or, transposed, one line per column, so that
/// the horizontal filter runs along lines too.
final class PixelLoader {
    static final ValueLayout.OfInt PACKED = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private PixelLoader() {}

    /// Loads columns `from` to `to` of the rows `top` to `top + rows`.
    ///
    /// @param premultiply whether colours are multiplied by their alpha; for images of 4 channels
    static void columns(PixelImage image, int from, int to, int top, int rows, boolean premultiply, LineWindow lines) {
        if (image.channels() == 1) {
            greyColumns(image, from, to, top, rows, lines);
            return;
        }
        // A three-byte pixel is read as four bytes. Only the last pixel of the segment has no byte after it.
        boolean atEnd = image.at(to - 1, top + rows - 1) + 4 > image.segment().byteSize();
        int readable = atEnd ? rows - 1 : rows;
        colourColumns(image, from, to, top, readable, lines);
        if (atEnd) {
            for (int x = from; x < to; x++) {
                lines.line(x)[rows - 1] = threeBytes(image.segment(), image.at(x, top + rows - 1));
            }
        }
        if (premultiply) {
            for (int x = from; x < to; x++) {
                PremultipliedAlpha.premultiply(lines.line(x), rows);
            }
        }
    }

    /// Loads the columns `from` to `to` of a row into the beginning of `line`.
    static void row(PixelImage image, int from, int to, int y, boolean premultiply, int[] line) {
        MemorySegment segment = image.segment();
        int channels = image.channels();
        int length = to - from;
        long at = image.at(from, y);
        if (channels == 1) {
            for (int i = 0; i < length; i++) {
                line[i] = segment.get(JAVA_BYTE, at + i);
            }
            return;
        }
        boolean atEnd = image.at(to - 1, y) + 4 > segment.byteSize();
        int readable = atEnd ? length - 1 : length;
        for (int i = 0; i < readable; i++) {
            line[i] = segment.get(PACKED, at + (long) channels * i);
        }
        if (atEnd) {
            line[readable] = threeBytes(segment, image.at(to - 1, y));
        }
        if (premultiply) {
            PremultipliedAlpha.premultiply(line, length);
        }
    }

    private static int threeBytes(MemorySegment segment, long at) {
        return segment.get(JAVA_BYTE, at) & 255
                | (segment.get(JAVA_BYTE, at + 1) & 255) << 8
                | (segment.get(JAVA_BYTE, at + 2) & 255) << 16;
    }

    /// Loads eight rows at once, so that half of each cache line is written at a time.
    private static void colourColumns(PixelImage image, int from, int to, int top, int rows, LineWindow lines) {
        MemorySegment segment = image.segment();
        long stride = image.stride();
        int channels = image.channels();
        int y = 0;
        for (; y + 8 <= rows; y += 8) {
            long at = image.at(from, top + y);
            for (int x = from; x < to; x++, at += channels) {
                int[] line = lines.line(x);
                line[y] = segment.get(PACKED, at);
                line[y + 1] = segment.get(PACKED, at + stride);
                line[y + 2] = segment.get(PACKED, at + 2 * stride);
                line[y + 3] = segment.get(PACKED, at + 3 * stride);
                line[y + 4] = segment.get(PACKED, at + 4 * stride);
                line[y + 5] = segment.get(PACKED, at + 5 * stride);
                line[y + 6] = segment.get(PACKED, at + 6 * stride);
                line[y + 7] = segment.get(PACKED, at + 7 * stride);
            }
        }
        for (; y < rows; y++) {
            long at = image.at(from, top + y);
            for (int x = from; x < to; x++, at += channels) {
                lines.line(x)[y] = segment.get(PACKED, at);
            }
        }
    }

    private static void greyColumns(PixelImage image, int from, int to, int top, int rows, LineWindow lines) {
        MemorySegment segment = image.segment();
        long stride = image.stride();
        int y = 0;
        for (; y + 8 <= rows; y += 8) {
            long at = image.at(from, top + y);
            for (int x = from; x < to; x++, at++) {
                int[] line = lines.line(x);
                line[y] = segment.get(JAVA_BYTE, at);
                line[y + 1] = segment.get(JAVA_BYTE, at + stride);
                line[y + 2] = segment.get(JAVA_BYTE, at + 2 * stride);
                line[y + 3] = segment.get(JAVA_BYTE, at + 3 * stride);
                line[y + 4] = segment.get(JAVA_BYTE, at + 4 * stride);
                line[y + 5] = segment.get(JAVA_BYTE, at + 5 * stride);
                line[y + 6] = segment.get(JAVA_BYTE, at + 6 * stride);
                line[y + 7] = segment.get(JAVA_BYTE, at + 7 * stride);
            }
        }
        for (; y < rows; y++) {
            long at = image.at(from, top + y);
            for (int x = from; x < to; x++, at++) {
                lines.line(x)[y] = segment.get(JAVA_BYTE, at);
            }
        }
    }
}
