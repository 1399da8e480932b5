package dev.millrace.internal.exchange;

import java.io.Serializable;
import java.util.Arrays;

/// The order of the rows of several inputs that are mixed by weights: row `k` of an input has time
/// `(k + 1/2) / weight`; at equal times the earlier input comes first. So it depends only on weights and row numbers,
/// not on blocks; any stretch of time can be mixed by itself.
public record MixOrder(double[] weights) implements Serializable {
    public MixOrder {
        weights = weights.clone();
    }

    public int inputs() {
        return weights.length;
    }

    /// The time of a row of an input.
    public double time(int input, long row) {
        return (row + 0.5) / weights[input];
    }

    /// How many rows of an input come before row `row` of input `other`; never below `from`.
    public long before(int input, long from, int other, long row) {
        return before(input, from, time(other, row), input < other);
    }

    /// How many rows of an input come before a time, or at it if `inclusive`; never below `from`.
    public long before(int input, long from, double time, boolean inclusive) {
        long guess = (long) Math.clamp(Math.ceil(time * weights[input] - 0.5), (double) from, Long.MAX_VALUE / 2.0);
        while (guess > from && !comes(input, guess - 1, time, inclusive)) {
            guess--;
        }
        while (comes(input, guess, time, inclusive)) {
            guess++;
        }
        return guess;
    }

    private boolean comes(int input, long row, double time, boolean inclusive) {
        double own = time(input, row);
        return inclusive ? own <= time : own < time;
    }

    /// For each position of the mix its row, numbered through all inputs: those of the first, then those of the second,
    /// and so on.
    ///
    /// @param first for each input, the number of its first row here
    /// @param rows for each input, the number of its rows
    public int[] order(long[] first, int[] rows) {
        int[] starts = new int[rows.length];
        for (int i = 1; i < rows.length; i++) {
            starts[i] = starts[i - 1] + rows[i - 1];
        }
        int[] order = new int[Arrays.stream(rows).sum()];
        int[] at = new int[rows.length];
        double[] next = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            next[i] = rows[i] == 0 ? Double.POSITIVE_INFINITY : time(i, first[i]);
        }
        for (int place = 0; place < order.length; place++) {
            int chosen = 0;
            for (int i = 1; i < rows.length; i++) {
                if (next[i] < next[chosen]) {
                    chosen = i;
                }
            }
            order[place] = starts[chosen] + at[chosen]++;
            next[chosen] =
                    at[chosen] == rows[chosen] ? Double.POSITIVE_INFINITY : time(chosen, first[chosen] + at[chosen]);
        }
        return order;
    }
}
