package dev.millrace.internal.parquet.prune;

import java.util.Arrays;

/// Rows of a row group, as ascending ranges that do not touch.
public final class RowRanges {
    /// The start and end of each range, alternating; the end is exclusive.
    private final long[] borders;

    private RowRanges(long[] borders) {
        this.borders = borders;
    }

    public static RowRanges all(long rows) {
        return rows == 0 ? new RowRanges(new long[0]) : new RowRanges(new long[] {0, rows});
    }

    /// Collects ranges, which are added in ascending order.
    static final class Builder {
        private long[] borders = new long[16];
        private int size;

        void add(long from, long to) {
            if (from >= to) {
                return;
            }
            if (size > 0 && borders[size - 1] >= from) {
                borders[size - 1] = Math.max(borders[size - 1], to);
                return;
            }
            if (size == borders.length) {
                borders = Arrays.copyOf(borders, 2 * size);
            }
            borders[size++] = from;
            borders[size++] = to;
        }

        RowRanges build() {
            return new RowRanges(Arrays.copyOf(borders, size));
        }
    }

    public int count() {
        return borders.length / 2;
    }

    public long from(int range) {
        return borders[2 * range];
    }

    public long to(int range) {
        return borders[2 * range + 1];
    }

    public long rows() {
        long sum = 0;
        for (int i = 0; i < count(); i++) {
            sum += to(i) - from(i);
        }
        return sum;
    }

    /// Whether the ranges contain a row of `from` (inclusive) to `to` (exclusive).
    public boolean overlaps(long from, long to) {
        int low = 0;
        int high = count();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (to(middle) <= from) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < count() && from(low) < to;
    }

    RowRanges and(RowRanges other) {
        Builder both = new Builder();
        int i = 0;
        int j = 0;
        while (i < count() && j < other.count()) {
            both.add(Math.max(from(i), other.from(j)), Math.min(to(i), other.to(j)));
            if (to(i) < other.to(j)) {
                i++;
            } else {
                j++;
            }
        }
        return both.build();
    }

    RowRanges or(RowRanges other) {
        Builder either = new Builder();
        int i = 0;
        int j = 0;
        while (i < count() || j < other.count()) {
            if (j == other.count() || i < count() && from(i) <= other.from(j)) {
                either.add(from(i), to(i));
                i++;
            } else {
                either.add(other.from(j), other.to(j));
                j++;
            }
        }
        return either.build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowRanges ranges && Arrays.equals(borders, ranges.borders);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(borders);
    }

    @Override
    public String toString() {
        return Arrays.toString(borders);
    }
}
