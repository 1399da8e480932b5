package dev.millrace.internal.images.codec;

import dev.millrace.images.options.ImageMode;

/// Converts rows of PNG samples of any kind to pixels of a mode.
final class PngPixels {
    private static final int OPAQUE = 0xFF000000;

    private final PngChunks chunks;

    PngPixels(PngChunks chunks) {
        this.chunks = chunks;
    }

    /// True if the samples are already pixels of the mode.
    boolean isSame(ImageMode mode) {
        return chunks.depth == 8
                && switch (mode) {
                    case RGB -> chunks.colours == 2;
                    case RGBA -> chunks.colours == 6;
                    case GREY -> chunks.colours == 0;
                };
    }

    /// @param row the samples, starting at `from`
    /// @param pixels receives the mode's channels, from index 0
    void convert(byte[] row, int from, int width, ImageMode mode, byte[] pixels) {
        switch (mode) {
            case RGB -> {
                for (int x = 0, at = 0; x < width; x++, at += 3) {
                    int pixel = pixel(row, from, x);
                    pixels[at] = (byte) pixel;
                    pixels[at + 1] = (byte) (pixel >>> 8);
                    pixels[at + 2] = (byte) (pixel >>> 16);
                }
            }
            case RGBA -> {
                for (int x = 0, at = 0; x < width; x++, at += 4) {
                    int pixel = pixel(row, from, x);
                    pixels[at] = (byte) pixel;
                    pixels[at + 1] = (byte) (pixel >>> 8);
                    pixels[at + 2] = (byte) (pixel >>> 16);
                    pixels[at + 3] = (byte) (pixel >>> 24);
                }
            }
            case GREY -> {
                for (int x = 0; x < width; x++) {
                    int pixel = pixel(row, from, x);
                    pixels[x] = ChannelConversion.luma(pixel & 0xFF, pixel >>> 8 & 0xFF, pixel >>> 16 & 0xFF);
                }
            }
        }
    }

    /// A pixel packed as RGBA, red in the lowest byte.
    private int pixel(byte[] row, int from, int x) {
        int bytes = chunks.depth >> 3;
        return switch (chunks.colours) {
            case 0 -> grey(row, from, x);
            case 2 -> {
                int at = from + 3 * bytes * x;
                yield rgb(row, at, bytes) | (isTransparent(row, at, 3 * bytes) ? 0 : OPAQUE);
            }
            case 3 -> paletted(bits(row, from, x));
            case 4 -> {
                int at = from + 2 * bytes * x;
                yield (row[at] & 0xFF) * 0x010101 | row[at + bytes] << 24;
            }
            default -> {
                int at = from + 4 * bytes * x;
                yield rgb(row, at, bytes) | row[at + 3 * bytes] << 24;
            }
        };
    }

    private static int rgb(byte[] row, int at, int bytes) {
        return row[at] & 0xFF | (row[at + bytes] & 0xFF) << 8 | (row[at + 2 * bytes] & 0xFF) << 16;
    }

    private int grey(byte[] row, int from, int x) {
        if (chunks.depth >= 8) {
            int bytes = chunks.depth >> 3;
            int at = from + bytes * x;
            return (row[at] & 0xFF) * 0x010101 | (isTransparent(row, at, bytes) ? 0 : OPAQUE);
        }
        int sample = bits(row, from, x);
        boolean transparent = chunks.transparency.length >= 2 && chunks.transparency[1] == sample;
        return sample * 255 / ((1 << chunks.depth) - 1) * 0x010101 | (transparent ? 0 : OPAQUE);
    }

    /// A sample of 8 bits or fewer.
    private int bits(byte[] row, int from, int x) {
        int depth = chunks.depth;
        int bit = x * depth;
        return row[from + (bit >> 3)] >> 8 - depth - (bit & 7) & (1 << depth) - 1;
    }

    private int paletted(int index) {
        byte[] palette = chunks.palette;
        // A missing palette entry is black, as in libpng.
        int colour = 3 * index + 2 < palette.length ? rgb(palette, 3 * index, 1) : 0;
        return colour | (index < chunks.transparency.length ? chunks.transparency[index] << 24 : OPAQUE);
    }

    /// Whether the samples equal the transparent ones, which are stored with 16 bits each.
    private boolean isTransparent(byte[] row, int at, int length) {
        byte[] key = chunks.transparency;
        int wide = chunks.depth == 16 ? 1 : 2;
        if (key.length < length * wide || key.length == 0) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (row[at + i] != key[wide == 1 ? i : 2 * i + 1]) {
                return false;
            }
        }
        return true;
    }
}
