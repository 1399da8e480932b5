package dev.millrace.internal.kernel.aggregate;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/// A KLL sketch of numbers (Karnin, Lang, Liberty 2016): levels of sorted values, each of which represents twice as
/// many as one of the level below. A full level is compacted into the next one: every other value is dropped, beginning
/// with the first or the second by a pseudo-random bit. The bit is derived from the values themselves, so that the same
/// values make the same sketch, and the errors of different tasks are independent.
///
/// One thread; reused with [#clear].
final class QuantileSketch {
    /// The number of values of the highest level; each level below has two thirds of the one above.
    static final int WIDTH = 800;

    private static final int MIN_WIDTH = 8;

    /// Level 0 is unsorted and always has room for [#WIDTH], which makes adding cheap.
    private double[][] levels = {new double[WIDTH]};
    private int[] sizes = new int[1];
    private int depth = 1;
    private double least;
    private double greatest;
    private long coins;

    /// Resets it to an empty sketch.
    void clear() {
        depth = 1;
        Arrays.fill(sizes, 0);
        least = Double.POSITIVE_INFINITY;
        greatest = Double.NEGATIVE_INFINITY;
        coins = 0;
    }

    QuantileSketch() {
        clear();
    }

    /// The number of added values: none is lost, since a value whose neighbour is dropped represents two.
    long count() {
        long count = 0;
        for (int level = 0; level < depth; level++) {
            count += (long) sizes[level] << level;
        }
        return count;
    }

    /// @param values none of which is NaN
    void add(double[] values, int count) {
        int at = 0;
        while (at < count) {
            int some = Math.min(count - at, WIDTH - sizes[0]);
            System.arraycopy(values, at, levels[0], sizes[0], some);
            sizes[0] += some;
            at += some;
            if (sizes[0] == WIDTH) {
                compact(0);
                shrink();
            }
        }
    }

    /// Adds what another sketch wrote with [#write].
    void merge(ByteBuffer bytes) {
        int others = bytes.remaining() == 0 ? 0 : bytes.getInt();
        if (others == 0) {
            return;
        }
        int[] counts = new int[others];
        for (int level = 0; level < others; level++) {
            counts[level] = bytes.getInt();
        }
        if (others > 1) {
            least = Math.min(least, bytes.getDouble());
            greatest = Math.max(greatest, bytes.getDouble());
        }
        double[] values = new double[0];
        for (int level = 0; level < others; level++) {
            if (values.length < counts[level]) {
                values = new double[counts[level]];
            }
            for (int i = 0; i < counts[level]; i++) {
                values[i] = bytes.getDouble();
            }
            if (level == 0) {
                add(values, counts[0]);
            } else {
                deepen(level + 1);
                insert(level, values, counts[level]);
            }
        }
        shrink();
    }

    /// No bytes for no values.
    byte[] write() {
        int values = 0;
        for (int level = 0; level < depth; level++) {
            values += sizes[level];
        }
        if (values == 0) {
            return new byte[0];
        }
        int ends = depth > 1 ? 2 : 0;
        ByteBuffer bytes = ByteBuffer.allocate((1 + depth) * Integer.BYTES + (ends + values) * Double.BYTES);
        bytes.putInt(depth);
        for (int level = 0; level < depth; level++) {
            bytes.putInt(sizes[level]);
        }
        if (depth > 1) {
            bytes.putDouble(least()).putDouble(greatest());
        }
        for (int level = 0; level < depth; level++) {
            for (int i = 0; i < sizes[level]; i++) {
                bytes.putDouble(levels[level][i]);
            }
        }
        return bytes.array();
    }

    /// The value at each quantile.
    double[] quantiles(List<Double> quantiles) {
        double[] values = new double[0];
        long[] weights = new long[0];
        Arrays.sort(levels[0], 0, sizes[0]);
        for (int level = 0; level < depth; level++) {
            double[] bothValues = new double[values.length + sizes[level]];
            long[] bothWeights = new long[bothValues.length];
            int a = 0;
            int b = 0;
            for (int i = 0; i < bothValues.length; i++) {
                boolean first = b == sizes[level] || a < values.length && values[a] <= levels[level][b];
                bothWeights[i] = first ? weights[a] : 1L << level;
                bothValues[i] = first ? values[a++] : levels[level][b++];
            }
            values = bothValues;
            weights = bothWeights;
        }
        long count = count();
        double[] found = new double[quantiles.size()];
        for (int q = 0; q < found.length; q++) {
            double quantile = quantiles.get(q);
            if (quantile == 0 || quantile == 1) {
                found[q] = quantile == 0 ? least() : greatest();
                continue;
            }
            long wanted = (long) (quantile * count);
            long below = 0;
            int at = 0;
            while (at < values.length - 1 && below + weights[at] <= wanted) {
                below += weights[at++];
            }
            found[q] = values[at];
        }
        return found;
    }

    private double least() {
        double value = least;
        for (int i = 0; i < sizes[0]; i++) {
            value = Math.min(value, levels[0][i]);
        }
        return value;
    }

    private double greatest() {
        double value = greatest;
        for (int i = 0; i < sizes[0]; i++) {
            value = Math.max(value, levels[0][i]);
        }
        return value;
    }

    /// Moves half of a level's values to the next one; of an odd number the least stays.
    private void compact(int level) {
        double[] values = levels[level];
        int size = sizes[level];
        if (level == 0) {
            Arrays.sort(values, 0, size);
            least = Math.min(least, values[0]);
            greatest = Math.max(greatest, values[size - 1]);
        }
        deepen(level + 2);
        int stays = size & 1;
        coins = mix(coins ^ Double.doubleToLongBits(values[stays]) ^ level);
        int at = 0;
        double[] half = new double[size / 2];
        for (int i = stays + (int) (coins & 1); i < size; i += 2) {
            half[at++] = values[i];
        }
        sizes[level] = stays;
        insert(level + 1, half, at);
    }

    private static long mix(long bits) {
        long mixed = (bits + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 30) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    /// Merges sorted values into a level above 0.
    private void insert(int level, double[] values, int count) {
        double[] there = levels[level];
        int size = sizes[level];
        if (there.length < size + count) {
            there = Arrays.copyOf(there, Math.max(size + count, WIDTH));
            levels[level] = there;
        }
        int a = size - 1;
        int b = count - 1;
        for (int i = size + count - 1; b >= 0; i--) {
            there[i] = a >= 0 && there[a] > values[b] ? there[a--] : values[b--];
        }
        sizes[level] = size + count;
    }

    /// Compacts the lowest full level, until all levels above 0 together have their permitted size.
    private void shrink() {
        while (true) {
            int room = 0;
            int taken = 0;
            int full = 0;
            for (int level = depth - 1; level > 0; level--) {
                int width = width(level);
                room += width;
                taken += sizes[level];
                full = sizes[level] >= width ? level : full;
            }
            if (taken <= room || full == 0) {
                return;
            }
            compact(full);
        }
    }

    private int width(int level) {
        return Math.max(MIN_WIDTH, (int) Math.ceil(WIDTH * Math.pow(2.0 / 3, depth - 1 - level)));
    }

    private void deepen(int wanted) {
        while (depth < wanted) {
            if (levels.length == depth) {
                levels = Arrays.copyOf(levels, depth + 1);
                sizes = Arrays.copyOf(sizes, depth + 1);
                levels[depth] = new double[0];
            }
            depth++;
        }
    }
}
