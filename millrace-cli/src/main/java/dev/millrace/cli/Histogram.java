package dev.millrace.cli;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// How many values lie in each of some equal parts of their range.
record Histogram(double from, double to, long[] counts) {
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final String LETTERS = ".:-=+*%#";

    /// @return null without values
    static @Nullable Histogram of(double[] values, int bins) {
        if (values.length == 0) {
            return null;
        }
        double from = Double.POSITIVE_INFINITY;
        double to = Double.NEGATIVE_INFINITY;
        for (double value : values) {
            from = Math.min(from, value);
            to = Math.max(to, value);
        }
        long[] counts = new long[bins];
        // Halved, so that the difference of the largest numbers is finite.
        double range = to / 2 - from / 2;
        for (double value : values) {
            double share = range > 0 ? (value / 2 - from / 2) / range : 0;
            counts[Math.min(bins - 1, (int) (share * bins))]++;
        }
        return new Histogram(from, to, counts);
    }

    /// A character per bin, as high as its count; blank for none.
    String bars(boolean unicode) {
        String levels = unicode ? BLOCKS : LETTERS;
        long most = Arrays.stream(counts).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (long count : counts) {
            text.append(
                    count == 0
                            ? ' '
                            : levels.charAt((int) Math.min(levels.length() - 1, count * levels.length() / most)));
        }
        return text.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Histogram that
                && that.from == from
                && that.to == to
                && Arrays.equals(that.counts, counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return from + " to " + to + ": " + Arrays.toString(counts);
    }
}
