package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.bytedeco.opencv.global.opencv_core;

/// Changes the channels of interleaved pixels.
final class ChannelConversion {
    private static final ValueLayout.OfInt PIXEL = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int OPAQUE = 0xFF000000;

    private ChannelConversion() {}

    private static int at(MemorySegment pixels, long position) {
        return pixels.get(JAVA_BYTE, position) & 0xFF;
    }

    /// Computes the luma of red, green and blue with PIL's arithmetic.
    static void grey(MemorySegment rgb, long pixels, MemorySegment grey) {
        for (long i = 0; i < pixels; i++) {
            grey.set(JAVA_BYTE, i, luma(at(rgb, 3 * i), at(rgb, 3 * i + 1), at(rgb, 3 * i + 2)));
        }
    }

    static byte luma(int red, int green, int blue) {
        return (byte) (19595 * red + 38470 * green + 7471 * blue + 0x8000 >> 16);
    }

    /// Adds an alpha of 255. `rgb` may be the tail of `rgba` itself.
    static void opaque(MemorySegment rgb, long pixels, MemorySegment rgba) {
        for (long i = 0; i < pixels; i++) {
            int colours = at(rgb, 3 * i) | at(rgb, 3 * i + 1) << 8 | at(rgb, 3 * i + 2) << 16;
            rgba.set(PIXEL, 4 * i, OPAQUE | colours);
        }
    }

    /// Converts BGRA to RGBA in place.
    static void swapRedAndBlue(MemorySegment bgra, long pixels) {
        for (long i = 0; i < pixels; i++) {
            int pixel = bgra.get(PIXEL, 4 * i);
            bgra.set(PIXEL, 4 * i, pixel & 0xFF00FF00 | pixel << 16 & 0xFF0000 | pixel >>> 16 & 0xFF);
        }
    }

    /// Copies pixels with red and blue swapped.
    ///
    /// @param channels 3 or 4
    static void swapRedAndBlue(MemorySegment from, long pixels, int channels, MemorySegment to) {
        if (channels == 4) {
            MemorySegment.copy(from, 0, to, 0, 4 * pixels);
            swapRedAndBlue(to, pixels);
            return;
        }
        for (long i = 0; i < 3 * pixels; i += 3) {
            byte red = from.get(JAVA_BYTE, i);
            byte green = from.get(JAVA_BYTE, i + 1);
            byte blue = from.get(JAVA_BYTE, i + 2);
            to.set(JAVA_BYTE, i, blue);
            to.set(JAVA_BYTE, i + 1, green);
            to.set(JAVA_BYTE, i + 2, red);
        }
    }

    /// Converts pixels in OpenCV's layout (1, 3 or 4 channels of 8 or 16 bits, blue first) to RGBA.
    ///
    /// @param type OpenCV's matrix type
    static void toRgba(MemorySegment from, int type, long pixels, MemorySegment rgba) throws BadImage {
        int channels = opencv_core.CV_MAT_CN(type);
        int depth = opencv_core.CV_MAT_DEPTH(type);
        if (depth != opencv_core.CV_8U && depth != opencv_core.CV_16U || channels == 2 || channels > 4) {
            throw new BadImage("is an image of " + channels + " channels of a kind that is not known");
        }
        int width = depth == opencv_core.CV_8U ? 1 : 2;
        // The high byte of a 16-bit sample.
        int high = width - 1;
        int step = channels * width;
        for (long i = 0; i < pixels; i++) {
            long at = i * step + high;
            int blue = at(from, at);
            int green = channels == 1 ? blue : at(from, at + width);
            int red = channels == 1 ? blue : at(from, at + 2L * width);
            int alpha = channels == 4 ? at(from, at + 3L * width) << 24 : OPAQUE;
            rgba.set(PIXEL, 4 * i, alpha | blue << 16 | green << 8 | red);
        }
    }
}
