package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.images.options.ImageMode;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Decodes all kinds of PNG images, including interlaced ones. OpenCV's decoder hangs on some damaged files and is
/// slower for small ones. One thread; its working memory of a few rows is reused for the next image.
final class PngDecoder {
    private static final int[][] PASSES = {
        {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}
    };
    /// The number of bytes that are decompressed at a time.
    private static final int WINDOW = 32 << 10;
    /// The same limit that OpenCV has for the other formats.
    private static final int MAX_WIDTH = 1 << 20;

    private final PngChunks chunks = new PngChunks();
    private final PngPixels pixels = new PngPixels(chunks);
    private final Inflater inflater = new Inflater();
    private byte[] window = {};
    /// The range of the window that was decompressed and not yet consumed.
    private int begin;

    private int end;
    private byte[] above = {};
    private byte[] converted = {};

    /// @param target height x width x channels of the mode
    void decode(MemorySegment file, ImageHeader header, ImageMode mode, MemorySegment target) throws BadImage {
        if (header.width() > MAX_WIDTH) {
            throw new BadImage("is a PNG image of " + header.size() + " pixels, and a row has at most " + MAX_WIDTH);
        }
        inflater.reset();
        begin = 0;
        end = 0;
        try {
            chunks.begin(file);
            if (chunks.interlaced) {
                for (int[] pass : PASSES) {
                    rows(header, mode, target, pass[0], pass[1], pass[2], pass[3]);
                }
            } else {
                rows(header, mode, target, 0, 0, 1, 1);
            }
            finish();
        } catch (DataFormatException e) {
            throw new BadImage("is a PNG image of " + header.size() + " pixels that is damaged: its compressed pixels"
                    + " make no sense" + (e.getMessage() == null ? "" : " (" + e.getMessage() + ")"));
        } finally {
            chunks.end();
        }
    }

    /// Decodes one pass: every `right`-th pixel of every `down`-th row, starting at `left` and `top`.
    private void rows(ImageHeader header, ImageMode mode, MemorySegment target, int left, int top, int right, int down)
            throws BadImage, DataFormatException {
        int width = (header.width() - left + right - 1) / right;
        int height = (header.height() - top + down - 1) / down;
        if (width <= 0 || height <= 0) {
            return;
        }
        int bits = chunks.pixelBits();
        int length = Math.toIntExact(((long) width * bits + 7) / 8);
        int channels = mode.channels();
        if (above.length < length) {
            above = new byte[length];
        } else {
            Arrays.fill(above, 0, length, (byte) 0);
        }
        boolean same = pixels.isSame(mode) && right == 1;
        if (!same && converted.length < width * channels) {
            converted = new byte[width * channels];
        }
        long rowBytes = (long) header.width() * channels;
        for (int y = 0; y < height; y++) {
            need(length + 1, header, top + y * down);
            PngFilters.undo(window[begin], window, begin + 1, above, length, Math.max(1, bits / 8));
            long at = (top + (long) y * down) * rowBytes + (long) left * channels;
            if (same) {
                MemorySegment.copy(window, begin + 1, target, JAVA_BYTE, at, length);
            } else {
                pixels.convert(window, begin + 1, width, mode, converted);
                scatter(target, at, width, channels, right);
            }
            System.arraycopy(window, begin + 1, above, 0, length);
            begin += length + 1;
        }
    }

    private void scatter(MemorySegment target, long at, int width, int channels, int right) {
        if (right == 1) {
            MemorySegment.copy(converted, 0, target, JAVA_BYTE, at, width * channels);
            return;
        }
        for (int x = 0; x < width; x++) {
            MemorySegment.copy(converted, x * channels, target, JAVA_BYTE, at + (long) x * right * channels, channels);
        }
    }

    /// Ensures that the window contains this many bytes.
    private void need(int bytes, ImageHeader header, int row) throws BadImage, DataFormatException {
        if (end - begin >= bytes) {
            return;
        }
        if (window.length < bytes) {
            byte[] larger = new byte[Math.max(WINDOW, bytes)];
            System.arraycopy(window, begin, larger, 0, end - begin);
            window = larger;
        } else {
            System.arraycopy(window, begin, window, 0, end - begin);
        }
        end -= begin;
        begin = 0;
        while (end < bytes) {
            int count = inflater.inflate(window, end, window.length - end);
            end += count;
            if (count == 0 && !feed()) {
                throw new BadImage("is a PNG image of " + header.size()
                        + " pixels that is damaged or cut off: its pixels" + " end in row " + row);
            }
        }
    }

    private boolean feed() throws BadImage {
        if (inflater.finished() || inflater.needsDictionary() || !inflater.needsInput()) {
            return false;
        }
        ByteBuffer more = chunks.pixels();
        if (more == null) {
            return false;
        }
        inflater.setInput(more);
        return true;
    }

    /// Reads to the end of the compressed bytes, where their checksum is. Excess bytes are ignored.
    private void finish() throws BadImage, DataFormatException {
        int more = 0;
        while (more == 0 && !inflater.finished()) {
            more = inflater.inflate(window, 0, window.length);
            if (more == 0 && !feed()) {
                return;
            }
        }
    }
}
