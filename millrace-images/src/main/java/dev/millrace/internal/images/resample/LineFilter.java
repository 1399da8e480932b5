package dev.millrace.internal.images.resample;

/// Weighted sums of lines of packed pixels: one int per pixel, one byte per channel. Each loop computes one channel
/// over int arrays indexed from zero, a form that the compiler vectorises (a loop over three channels is not vectorised
/// and more than twice as slow).
final class LineFilter {
    private static final int HALF = 1 << FilterTaps.BITS - 1;

    private final LineWindow lines;
    private int[] sums = {};

    /// @param lines contains the lines of the taps
    LineFilter(LineWindow lines) {
        this.lines = lines;
    }

    /// Sets the channels of `target[0..length)` to those of new pixel `i`. Other bits are undefined.
    void apply(FilterTaps taps, int i, int channels, int[] target, int length) {
        for (int shift = 0; shift < channels * 8; shift += 8) {
            channel(taps, i, shift, target, length);
        }
    }

    private void channel(FilterTaps taps, int i, int shift, int[] target, int length) {
        int first = taps.first(i);
        switch (taps.isPositive() ? taps.count(i) : Integer.MAX_VALUE) {
            case 1 -> one(line(first), taps.weight(i, 0), shift, target, length);
            case 2 -> two(line(first), taps.weight(i, 0), line(first + 1), taps.weight(i, 1), shift, target, length);
            case 3 ->
                three(
                        line(first),
                        taps.weight(i, 0),
                        line(first + 1),
                        taps.weight(i, 1),
                        line(first + 2),
                        taps.weight(i, 2),
                        shift,
                        target,
                        length);
            case 4 ->
                four(
                        line(first),
                        taps.weight(i, 0),
                        line(first + 1),
                        taps.weight(i, 1),
                        line(first + 2),
                        taps.weight(i, 2),
                        line(first + 3),
                        taps.weight(i, 3),
                        shift,
                        target,
                        length);
            default -> many(taps, i, shift, target, length);
        }
    }

    private int[] line(int index) {
        return lines.line(index);
    }

    /// A mask of the target bits that a channel preserves: the first channel sets all bits.
    private static int kept(int shift) {
        return shift == 0 ? 0 : -1;
    }

    private static void one(int[] a, int wa, int shift, int[] target, int length) {
        int kept = kept(shift);
        for (int i = 0; i < length; i++) {
            target[i] = target[i] & kept | (a[i] >>> shift & 255) * wa + HALF >> FilterTaps.BITS << shift;
        }
    }

    private static void two(int[] a, int wa, int[] b, int wb, int shift, int[] target, int length) {
        int kept = kept(shift);
        for (int i = 0; i < length; i++) {
            int sum = (a[i] >>> shift & 255) * wa + (b[i] >>> shift & 255) * wb;
            target[i] = target[i] & kept | sum + HALF >> FilterTaps.BITS << shift;
        }
    }

    private static void three(int[] a, int wa, int[] b, int wb, int[] c, int wc, int shift, int[] target, int length) {
        int kept = kept(shift);
        for (int i = 0; i < length; i++) {
            int sum = (a[i] >>> shift & 255) * wa + (b[i] >>> shift & 255) * wb + (c[i] >>> shift & 255) * wc;
            target[i] = target[i] & kept | sum + HALF >> FilterTaps.BITS << shift;
        }
    }

    private static void four(
            int[] a, int wa, int[] b, int wb, int[] c, int wc, int[] d, int wd, int shift, int[] target, int length) {
        int kept = kept(shift);
        for (int i = 0; i < length; i++) {
            int sum = (a[i] >>> shift & 255) * wa
                    + (b[i] >>> shift & 255) * wb
                    + (c[i] >>> shift & 255) * wc
                    + (d[i] >>> shift & 255) * wd;
            target[i] = target[i] & kept | sum + HALF >> FilterTaps.BITS << shift;
        }
    }

    /// Accumulates four taps at a time, then writes the sums to the target. With negative weights a sum may leave 0 to
    /// 255.
    private void many(FilterTaps taps, int i, int shift, int[] target, int length) {
        if (sums.length < length) {
            sums = new int[length];
        }
        int count = taps.count(i);
        start(sums, length);
        int tap = 0;
        for (; tap + 4 <= count; tap += 4) {
            int first = taps.first(i) + tap;
            addFour(
                    line(first),
                    taps.weight(i, tap),
                    line(first + 1),
                    taps.weight(i, tap + 1),
                    line(first + 2),
                    taps.weight(i, tap + 2),
                    line(first + 3),
                    taps.weight(i, tap + 3),
                    shift,
                    sums,
                    length);
        }
        for (; tap < count; tap++) {
            addOne(line(taps.first(i) + tap), taps.weight(i, tap), shift, sums, length);
        }
        finish(sums, shift, target, length);
    }

    private static void start(int[] sums, int length) {
        for (int i = 0; i < length; i++) {
            sums[i] = HALF;
        }
    }

    private static void addOne(int[] a, int wa, int shift, int[] sums, int length) {
        for (int i = 0; i < length; i++) {
            sums[i] += (a[i] >>> shift & 255) * wa;
        }
    }

    private static void addFour(
            int[] a, int wa, int[] b, int wb, int[] c, int wc, int[] d, int wd, int shift, int[] sums, int length) {
        for (int i = 0; i < length; i++) {
            sums[i] += (a[i] >>> shift & 255) * wa
                    + (b[i] >>> shift & 255) * wb
                    + (c[i] >>> shift & 255) * wc
                    + (d[i] >>> shift & 255) * wd;
        }
    }

    private static void finish(int[] sums, int shift, int[] target, int length) {
        int kept = kept(shift);
        for (int i = 0; i < length; i++) {
            target[i] = target[i] & kept | Math.min(Math.max(sums[i] >> FilterTaps.BITS, 0), 255) << shift;
        }
    }
}
