package dev.millrace.internal.images.resample;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Copies pixels to other positions, unchanged. The target has the size of the result and must not overlap the image.
public final class PixelMoves {
    private PixelMoves() {}

    /// Copies the pixels of a window.
    public static void crop(PixelImage image, ImageWindow window, PixelImage target) {
        copy(image.window(window), target);
    }

    public static void copy(PixelImage image, PixelImage target) {
        requireSame(image, target);
        if (image.stride() == image.rowBytes() && target.stride() == target.rowBytes()) {
            long bytes = image.rowBytes() * image.height();
            MemorySegment.copy(image.segment(), 0, target.segment(), 0, bytes);
            return;
        }
        for (int y = 0; y < image.height(); y++) {
            MemorySegment.copy(image.segment(), image.at(0, y), target.segment(), target.at(0, y), image.rowBytes());
        }
    }

    /// Mirrors left to right.
    public static void flipHorizontally(PixelImage image, PixelImage target) {
        requireSame(image, target);
        int channels = image.channels();
        int last = image.width() - 1;
        for (int y = 0; y < image.height(); y++) {
            long from = image.at(0, y);
            long to = target.at(last, y);
            if (channels == 4) {
                mirrorPacked(image.segment(), from, target.segment(), to, image.width());
            } else {
                mirror(image.segment(), from, target.segment(), to, image.width(), channels);
            }
        }
    }

    private static void mirrorPacked(MemorySegment source, long from, MemorySegment target, long to, int width) {
        for (int x = 0; x < width; x++) {
            target.set(PixelLoader.PACKED, to - 4L * x, source.get(PixelLoader.PACKED, from + 4L * x));
        }
    }

    private static void mirror(
            MemorySegment source, long from, MemorySegment target, long to, int width, int channels) {
        for (int x = 0; x < width; x++) {
            for (int channel = 0; channel < channels; channel++) {
                long step = (long) channels * x;
                target.set(JAVA_BYTE, to - step + channel, source.get(JAVA_BYTE, from + step + channel));
            }
        }
    }

    /// Mirrors top to bottom.
    public static void flipVertically(PixelImage image, PixelImage target) {
        requireSame(image, target);
        for (int y = 0; y < image.height(); y++) {
            long to = target.at(0, image.height() - 1 - y);
            MemorySegment.copy(image.segment(), image.at(0, y), target.segment(), to, image.rowBytes());
        }
    }

    private static void requireSame(PixelImage image, PixelImage target) {
        if (image.width() != target.width()
                || image.height() != target.height()
                || image.channels() != target.channels()) {
            throw new IllegalArgumentException("The target is " + target.width() + " x " + target.height() + " x "
                    + target.channels() + ", the result " + image.width() + " x " + image.height() + " x "
                    + image.channels() + ".");
        }
    }
}
