package dev.millrace.internal.images.operation;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.images.resample.PixelImage;
import java.lang.foreign.MemorySegment;

/// Converts between grey, RGB and RGBA like PIL.
final class ChannelChange {
    private ChannelChange() {}

    /// @param target has the image's size and other channels
    static void convert(PixelImage image, PixelImage target) {
        int from = image.channels();
        int to = target.channels();
        for (int y = 0; y < image.height(); y++) {
            long in = y * image.stride();
            long out = y * target.stride();
            for (int x = 0; x < image.width(); x++) {
                pixel(image.segment(), in, from, target.segment(), out, to);
                in += from;
                out += to;
            }
        }
    }

    private static void pixel(MemorySegment image, long in, int from, MemorySegment target, long out, int to) {
        byte red = image.get(JAVA_BYTE, in);
        byte green = from == 1 ? red : image.get(JAVA_BYTE, in + 1);
        byte blue = from == 1 ? red : image.get(JAVA_BYTE, in + 2);
        if (to == 1) {
            int luma = 19595 * (red & 0xFF) + 38470 * (green & 0xFF) + 7471 * (blue & 0xFF);
            target.set(JAVA_BYTE, out, (byte) (luma + 0x8000 >> 16));
            return;
        }
        target.set(JAVA_BYTE, out, red);
        target.set(JAVA_BYTE, out + 1, green);
        target.set(JAVA_BYTE, out + 2, blue);
        if (to == 4) {
            target.set(JAVA_BYTE, out + 3, from == 4 ? image.get(JAVA_BYTE, in + 3) : -1);
        }
    }
}
