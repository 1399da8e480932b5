package dev.millrace.internal.images.resample;

import dev.millrace.images.options.Interpolation;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The old pixels along one axis that contribute to each new pixel, and their weights: fixed-point numbers of [#BITS]
/// bits, computed like Pillow's, so that their sums give Pillow's pixels.
final class FilterTaps {
    /// An 8-bit pixel times a weight leaves two bits of an int for overshoot and sign.
    static final int BITS = 22;

    private final int[] first;
    private final int[] count;
    private final int[] weights;
    private final int most;
    private final boolean positive;
    private final int begin;
    private final int end;
    private final int in;
    private @Nullable NearTaps near;
    private boolean nearKnown;

    private FilterTaps(int in, int[] first, int[] count, int[] weights, int most) {
        this.positive = Arrays.stream(weights).allMatch(weight -> weight >= 0);
        this.begin = Arrays.stream(first).min().orElse(0);
        this.end = IntStream.range(0, first.length)
                .map(i -> first[i] + count[i])
                .max()
                .orElse(0);
        this.first = first;
        this.count = count;
        this.weights = weights;
        this.most = most;
        this.in = in;
    }

    /// The taps of the new pixels `from` to `from + length`, when `in` pixels are resized to `out`.
    static FilterTaps of(int in, int out, Interpolation filter, int from, int length) {
        double scale = (double) in / out;
        double stretch = Math.max(1, scale);
        double support = filter.support() * stretch;
        int most = (int) Math.ceil(support) * 2 + 1;
        int[] first = new int[length];
        int[] count = new int[length];
        int[] weights = new int[Math.multiplyExact(length, most)];
        double[] exact = new double[most];
        for (int i = 0; i < length; i++) {
            double centre = (from + i + 0.5) * scale;
            int low = Math.max(0, (int) (centre - support + 0.5));
            int high = Math.min(in, (int) (centre + support + 0.5));
            double sum = 0;
            for (int x = low; x < high; x++) {
                exact[x - low] = filter.weight((x - centre + 0.5) * (1 / stretch));
                sum += exact[x - low];
            }
            int begin = 0;
            int end = 0;
            for (int k = 0; k < high - low; k++) {
                int weight = fixed(sum == 0 ? exact[k] : exact[k] / sum);
                weights[i * most + k] = weight;
                if (weight != 0) {
                    begin = end == 0 ? k : begin;
                    end = k + 1;
                }
            }
            System.arraycopy(weights, i * most + begin, weights, i * most, end - begin);
            first[i] = low + begin;
            count[i] = end - begin;
        }
        return new FilterTaps(in, first, count, weights, most);
    }

    private static int fixed(double weight) {
        return (int) (weight * (1 << BITS) + (weight < 0 ? -0.5 : 0.5));
    }

    /// Whether all weights are non-negative, so that no sum leaves the range of a pixel.
    boolean isPositive() {
        return positive;
    }

    /// The same taps as lines of weights; null if that form does not apply.
    @Nullable
    NearTaps near() {
        if (!nearKnown) {
            near = NearTaps.of(this, in);
            nearKnown = true;
        }
        return near;
    }

    int length() {
        return first.length;
    }

    /// The index of the first old pixel of new pixel `i`, and their number.
    int first(int i) {
        return first[i];
    }

    int count(int i) {
        return count[i];
    }

    /// One past the last old pixel of new pixel `i`.
    int end(int i) {
        return first[i] + count[i];
    }

    /// The first old pixel of all taps, and one past the last.
    int begin() {
        return begin;
    }

    int end() {
        return end;
    }

    int weight(int i, int tap) {
        return weights[i * most + tap];
    }

    /// The maximum number of taps of a new pixel.
    int most() {
        return most;
    }
}
