package dev.millrace.internal.images.resample;

import org.jspecify.annotations.Nullable;

/// The taps of an axis whose new pixels depend on few old ones, as lines: every new pixel has the same number of taps,
/// some of them with weight zero.
///
/// @param first for each new pixel the old pixel of its first tap
/// @param weights one line per tap: the weights of all new pixels, repeated [#ROWS] times
/// @param coarse one line per tap: the same weights, rounded to [#COARSE_BITS]; those of a new pixel sum to exactly 1
record NearTaps(int[] first, int[][] weights, int[][] coarse) {
    static final int MOST = 4;

    /// The number of rows that are filtered at once: longer lines are faster, until they exceed the cache.
    static final int ROWS = 4;

    /// With 8-bit weights the sum of a channel fits into 16 bits, two channels into an int.
    static final int COARSE_BITS = 8;

    /// @param in the number of old pixels
    /// @return null if a new pixel has more taps than [#MOST], or negative weights
    static @Nullable NearTaps of(FilterTaps taps, int in) {
        int count = 2;
        for (int i = 0; i < taps.length(); i++) {
            count = Math.max(count, taps.count(i));
        }
        if (count > MOST || count > in || !taps.isPositive()) {
            return null;
        }
        int length = taps.length();
        NearTaps near = new NearTaps(new int[length], new int[count][length * ROWS], new int[count][length]);
        for (int i = 0; i < length; i++) {
            // No tap lies beyond the last old pixel: at the end, taps of weight zero come first.
            near.first[i] = Math.min(taps.first(i), in - count);
            int before = taps.first(i) - near.first[i];
            for (int tap = 0; tap < taps.count(i); tap++) {
                for (int row = 0; row < ROWS; row++) {
                    near.weights[before + tap][row * length + i] = taps.weight(i, tap);
                }
            }
            near.round(i);
        }
        return near;
    }

    /// Adds the rounding error of the sum to the largest weight.
    private void round(int i) {
        int missing = 1 << COARSE_BITS;
        int largest = 0;
        for (int tap = 0; tap < count(); tap++) {
            int shift = FilterTaps.BITS - COARSE_BITS;
            coarse[tap][i] = weights[tap][i] + (1 << shift - 1) >> shift;
            missing -= coarse[tap][i];
            largest = coarse[tap][i] > coarse[largest][i] ? tap : largest;
        }
        coarse[largest][i] += missing;
    }

    int length() {
        return first.length;
    }

    int count() {
        return weights.length;
    }

    /// The first old pixel of all taps, and one past the last.
    int begin() {
        return first[0];
    }

    int end() {
        return first[length() - 1] + count();
    }
}
