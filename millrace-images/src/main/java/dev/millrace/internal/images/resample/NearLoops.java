package dev.millrace.internal.images.resample;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The loops of [NearPlanes]: those over arrays of equal type, indexed from zero, are vectorised by the compiler.
final class NearLoops {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    /// A mask of bytes 0 and 2 of an int, and the rounding term of the sums of both.
    private static final int EVEN = 0x00FF00FF;
    private static final int HALVES = 0x00800080;
    private static final int HALF = 1 << FilterTaps.BITS - 1;

    private NearLoops() {}

    /// The vertical sums of bytes, four in an int, independent of channels.
    static void down(LineWindow lines, NearTaps taps, int y, int[] target, int length) {
        int first = taps.first()[y];
        int[][] weights = taps.coarse();
        int[] a = lines.line(first);
        int[] b = lines.line(first + 1);
        switch (taps.count()) {
            case 2 -> {
                even(a, weights[0][y], b, weights[1][y], target, length);
                odd(a, weights[0][y], b, weights[1][y], target, length);
            }
            case 3 -> {
                int[] c = lines.line(first + 2);
                even(a, weights[0][y], b, weights[1][y], c, weights[2][y], target, length);
                odd(a, weights[0][y], b, weights[1][y], c, weights[2][y], target, length);
            }
            default -> {
                int[] c = lines.line(first + 2);
                int[] d = lines.line(first + 3);
                even(a, weights[0][y], b, weights[1][y], c, weights[2][y], d, weights[3][y], target, length);
                odd(a, weights[0][y], b, weights[1][y], c, weights[2][y], d, weights[3][y], target, length);
            }
        }
    }

    private static void even(int[] a, int wa, int[] b, int wb, int[] target, int length) {
        for (int i = 0; i < length; i++) {
            int sums = (a[i] & EVEN) * wa + (b[i] & EVEN) * wb + HALVES;
            target[i] = sums >>> NearTaps.COARSE_BITS & EVEN;
        }
    }

    private static void odd(int[] a, int wa, int[] b, int wb, int[] target, int length) {
        for (int i = 0; i < length; i++) {
            int sums = (a[i] >>> 8 & EVEN) * wa + (b[i] >>> 8 & EVEN) * wb + HALVES;
            target[i] |= sums & ~EVEN;
        }
    }

    private static void even(int[] a, int wa, int[] b, int wb, int[] c, int wc, int[] target, int length) {
        for (int i = 0; i < length; i++) {
            int sums = (a[i] & EVEN) * wa + (b[i] & EVEN) * wb + (c[i] & EVEN) * wc + HALVES;
            target[i] = sums >>> NearTaps.COARSE_BITS & EVEN;
        }
    }

    private static void odd(int[] a, int wa, int[] b, int wb, int[] c, int wc, int[] target, int length) {
        for (int i = 0; i < length; i++) {
            int sums = (a[i] >>> 8 & EVEN) * wa + (b[i] >>> 8 & EVEN) * wb + (c[i] >>> 8 & EVEN) * wc + HALVES;
            target[i] |= sums & ~EVEN;
        }
    }

    private static void even(
            int[] a, int wa, int[] b, int wb, int[] c, int wc, int[] d, int wd, int[] target, int length) {
        for (int i = 0; i < length; i++) {
            int sums = (a[i] & EVEN) * wa + (b[i] & EVEN) * wb + (c[i] & EVEN) * wc + (d[i] & EVEN) * wd + HALVES;
            target[i] = sums >>> NearTaps.COARSE_BITS & EVEN;
        }
    }

    private static void odd(
            int[] a, int wa, int[] b, int wb, int[] c, int wc, int[] d, int wd, int[] target, int length) {
        for (int i = 0; i < length; i++) {
            int sums = (a[i] >>> 8 & EVEN) * wa
                    + (b[i] >>> 8 & EVEN) * wb
                    + (c[i] >>> 8 & EVEN) * wc
                    + (d[i] >>> 8 & EVEN) * wd
                    + HALVES;
            target[i] |= sums & ~EVEN;
        }
    }

    /// Gathers the old pixels of each tap of a row into the lines, starting at `to`.
    ///
    /// @param row with at least eight bytes after its last pixel
    /// @param offsets for each new pixel the offset of its first old pixel
    static void gather(byte[] row, int[] offsets, int width, int step, int taps, int[][] lines, int to) {
        switch (taps) {
            case 2 -> gather(row, offsets, width, step, lines[0], lines[1], to);
            case 3 -> gather(row, offsets, width, step, lines[0], lines[1], lines[2], to);
            default -> gather(row, offsets, width, step, lines[0], lines[1], lines[2], lines[3], to);
        }
    }

    private static void gather(byte[] row, int[] offsets, int width, int step, int[] a, int[] b, int to) {
        int bits = 8 * step;
        for (int x = 0; x < width; x++) {
            long pair = (long) LONG.get(row, offsets[x]);
            a[to + x] = (int) pair;
            b[to + x] = (int) (pair >>> bits);
        }
    }

    private static void gather(byte[] row, int[] offsets, int width, int step, int[] a, int[] b, int[] c, int to) {
        int bits = 8 * step;
        for (int x = 0; x < width; x++) {
            long pair = (long) LONG.get(row, offsets[x]);
            a[to + x] = (int) pair;
            b[to + x] = (int) (pair >>> bits);
            c[to + x] = (int) INT.get(row, offsets[x] + 2 * step);
        }
    }

    private static void gather(
            byte[] row, int[] offsets, int width, int step, int[] a, int[] b, int[] c, int[] d, int to) {
        int bits = 8 * step;
        for (int x = 0; x < width; x++) {
            long pair = (long) LONG.get(row, offsets[x]);
            long next = (long) LONG.get(row, offsets[x] + 2 * step);
            a[to + x] = (int) pair;
            b[to + x] = (int) (pair >>> bits);
            c[to + x] = (int) next;
            d[to + x] = (int) (next >>> bits);
        }
    }

    /// The horizontal sums of one channel, normalised.
    static void across(int[][] lines, int[][] weights, int shift, float scale, float bias, float[] target, int length) {
        switch (weights.length) {
            case 2 -> across(lines[0], weights[0], lines[1], weights[1], shift, scale, bias, target, length);
            case 3 ->
                across(
                        lines[0],
                        weights[0],
                        lines[1],
                        weights[1],
                        lines[2],
                        weights[2],
                        shift,
                        scale,
                        bias,
                        target,
                        length);
            default ->
                across(
                        lines[0],
                        weights[0],
                        lines[1],
                        weights[1],
                        lines[2],
                        weights[2],
                        lines[3],
                        weights[3],
                        shift,
                        scale,
                        bias,
                        target,
                        length);
        }
    }

    private static void across(
            int[] a, int[] wa, int[] b, int[] wb, int shift, float scale, float bias, float[] target, int length) {
        for (int i = 0; i < length; i++) {
            int sum = (a[i] >>> shift & 255) * wa[i] + (b[i] >>> shift & 255) * wb[i] + HALF;
            target[i] = (sum >> FilterTaps.BITS) * scale + bias;
        }
    }

    private static void across(
            int[] a,
            int[] wa,
            int[] b,
            int[] wb,
            int[] c,
            int[] wc,
            int shift,
            float scale,
            float bias,
            float[] target,
            int length) {
        for (int i = 0; i < length; i++) {
            int sum = (a[i] >>> shift & 255) * wa[i]
                    + (b[i] >>> shift & 255) * wb[i]
                    + (c[i] >>> shift & 255) * wc[i]
                    + HALF;
            target[i] = (sum >> FilterTaps.BITS) * scale + bias;
        }
    }

    private static void across(
            int[] a,
            int[] wa,
            int[] b,
            int[] wb,
            int[] c,
            int[] wc,
            int[] d,
            int[] wd,
            int shift,
            float scale,
            float bias,
            float[] target,
            int length) {
        for (int i = 0; i < length; i++) {
            int sum = (a[i] >>> shift & 255) * wa[i]
                    + (b[i] >>> shift & 255) * wb[i]
                    + (c[i] >>> shift & 255) * wc[i]
                    + (d[i] >>> shift & 255) * wd[i]
                    + HALF;
            target[i] = (sum >> FilterTaps.BITS) * scale + bias;
        }
    }

    /// Whole numbers from 0 to 255.
    static void truncate(float[] values, byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (int) values[i];
        }
    }

    /// The same as the byte at `shift`; the first plane replaces what was there.
    static void pack(float[] values, int shift, int[] packed, int length) {
        int kept = (1 << shift) - 1;
        for (int i = 0; i < length; i++) {
            packed[i] = packed[i] & kept | (int) values[i] << shift;
        }
    }

    static void round(float[] values, short[] halves, int length) {
        for (int i = 0; i < length; i++) {
            halves[i] = Float.floatToFloat16(values[i]);
        }
    }
}
