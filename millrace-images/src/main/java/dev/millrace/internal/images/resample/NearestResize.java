package dev.millrace.internal.images.resample;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Resizing without a filter: each new pixel is the old one at its centre.
final class NearestResize {
    private NearestResize() {}

    static void rows(PixelImage image, int width, int height, ImageWindow window, PixelRowSink sink) {
        int[] xs = places(image.width(), width, window.x(), window.width());
        int[] ys = places(image.height(), height, window.y(), window.height());
        int[] row = new int[xs.length];
        for (int y = 0; y < ys.length; y++) {
            fill(image, xs, ys[y], row);
            sink.row(y, row, row.length);
        }
    }

    /// Accumulates steps instead of multiplying, because Pillow does so: the two sometimes differ by a pixel.
    private static int[] places(int in, int out, int from, int length) {
        double step = (double) in / out;
        double place = step * 0.5;
        int[] places = new int[length];
        for (int i = 0; i < from + length; i++, place += step) {
            if (i >= from) {
                places[i - from] = Math.min(in - 1, (int) place);
            }
        }
        return places;
    }

    private static void fill(PixelImage image, int[] xs, int y, int[] row) {
        MemorySegment segment = image.segment();
        for (int x = 0; x < xs.length; x++) {
            long at = image.at(xs[x], y);
            int pixel = 0;
            for (int channel = 0; channel < image.channels(); channel++) {
                pixel |= (segment.get(JAVA_BYTE, at + channel) & 255) << 8 * channel;
            }
            row[x] = pixel;
        }
    }
}
