package dev.millrace.internal.kernel.window;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.memory.Allocator;
import dev.millrace.window.WindowFunction;

/// Row numbers, ranks and shares.
final class Places {
    private Places() {}

    static Column of(Allocator allocator, Partitions partitions, WindowFunction.Numbering function) {
        return switch (function.place()) {
            case ROW_NUMBER, RANK, DENSE_RANK, NTILE -> Columns.ofLongs(allocator, numbers(partitions, function));
            case PERCENT_RANK, CUME_DIST -> Columns.ofDoubles(allocator, shares(partitions, function));
        };
    }

    private static long[] numbers(Partitions partitions, WindowFunction.Numbering function) {
        long[] numbers = new long[partitions.rows()];
        int[] peers = function.place() == WindowFunction.Place.RANK
                        || function.place() == WindowFunction.Place.DENSE_RANK
                ? partitions.firstPeers()
                : null;
        for (int p = 0; p < partitions.count(); p++) {
            int start = partitions.start(p);
            int end = partitions.end(p);
            long different = 0;
            for (int row = start; row < end; row++) {
                numbers[row] = switch (function.place()) {
                    case ROW_NUMBER -> row - start + 1;
                    case RANK -> peers[row] - start + 1;
                    case DENSE_RANK -> different += peers[row] == row ? 1 : 0;
                    default -> bucket(row - start, end - start, function.buckets());
                };
            }
        }
        return numbers;
    }

    /// The first buckets have one row more where it does not come out even.
    static long bucket(long row, long rows, long buckets) {
        long size = rows / buckets;
        long larger = rows % buckets;
        long inLarger = larger * (size + 1);
        return row < inLarger ? row / (size + 1) + 1 : larger + (row - inLarger) / size + 1;
    }

    private static double[] shares(Partitions partitions, WindowFunction.Numbering function) {
        double[] shares = new double[partitions.rows()];
        boolean ranks = function.place() == WindowFunction.Place.PERCENT_RANK;
        int[] peers = ranks ? partitions.firstPeers() : partitions.peerEnds();
        for (int p = 0; p < partitions.count(); p++) {
            int start = partitions.start(p);
            int count = partitions.end(p) - start;
            for (int row = start; row < partitions.end(p); row++) {
                long before = peers[row] - start;
                shares[row] = ranks ? count == 1 ? 0 : (double) before / (count - 1) : (double) before / count;
            }
        }
        return shares;
    }
}
