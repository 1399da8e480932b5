package dev.millrace.internal.exchange;

import java.util.Arrays;

/// A map task's output of numbers, sorted as by [Double#compare].
///
/// @param samples every `step`th number, from the first on
/// @param last the greatest; any number if there are no rows
/// @param scale the divisor of the numbers
record SortedNumbers(double[] samples, long step, long rows, double last, double scale) implements MapShards {
    /// The same numbers, multiplied to a larger scale.
    SortedNumbers scaledTo(double larger) {
        double factor = larger / scale;
        return factor == 1
                ? this
                : new SortedNumbers(
                        Arrays.stream(samples).map(sample -> sample * factor).toArray(),
                        step,
                        rows,
                        last * factor,
                        larger);
    }

    /// Rows from here on are certainly `number` or more.
    long maybeBelow(double number) {
        return rows == 0 || Double.compare(last, number) < 0 ? rows : Math.min(rows, count(number, false) * step);
    }

    /// All rows before this are certainly `number` or less.
    long surelyUpTo(double number) {
        int upTo = count(number, true);
        return rows == 0 || Double.compare(last, number) <= 0 ? rows : upTo == 0 ? 0 : (upTo - 1) * step + 1;
    }

    /// How many samples are below a number, or up to it.
    private int count(double number, boolean upTo) {
        int below = 0;
        int not = samples.length;
        while (below < not) {
            int middle = below + not >>> 1;
            int order = Double.compare(samples[middle], number);
            if (order < 0 || upTo && order == 0) {
                below = middle + 1;
            } else {
                not = middle;
            }
        }
        return below;
    }
}
