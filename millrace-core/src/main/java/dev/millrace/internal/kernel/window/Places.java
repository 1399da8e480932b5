package dev.millrace.internal.kernel.window;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.memory.Allocator;
import dev.millrace.window.WindowFunction;

/// Row numbers, ranks and shares.
final class Places {
    private Places() {}

    static Column of(Allocator allocator, Partitions partitions, WindowFunction.Numbering function) {
        return of(allocator, partitions, function, null);
    }

    /// @param piece where the rows lie in the one partition that they are a piece of; null for whole partitions
    static Column of(
            Allocator allocator, Partitions partitions, WindowFunction.Numbering function, PlaceInWhole piece) {
        return switch (function.place()) {
            case ROW_NUMBER, RANK, DENSE_RANK, NTILE ->
                Columns.ofLongs(allocator, numbers(partitions, function, piece));
            case PERCENT_RANK, CUME_DIST -> Columns.ofDoubles(allocator, shares(partitions, function, piece));
        };
    }

    private static long[] numbers(Partitions partitions, WindowFunction.Numbering function, PlaceInWhole piece) {
        long[] numbers = new long[partitions.rows()];
        WindowFunction.Place place = function.place();
        boolean byPeers = place == WindowFunction.Place.RANK || place == WindowFunction.Place.DENSE_RANK;
        int[] peers = byPeers ? partitions.firstPeers() : null;
        long before = piece == null ? 0 : piece.before();
        for (int p = 0; p < partitions.count(); p++) {
            int start = partitions.start(p);
            long count = piece == null ? partitions.end(p) - start : piece.rows();
            long different = piece == null ? 0 : piece.different();
            for (int row = start; row < partitions.end(p); row++) {
                long at = before + row - start;
                numbers[row] = switch (place) {
                    case ROW_NUMBER -> at + 1;
                    case RANK -> before + peers[row] - start + 1;
                    case DENSE_RANK -> different += peers[row] == row ? 1 : 0;
                    default -> bucket(at, count, function.buckets());
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

    private static double[] shares(Partitions partitions, WindowFunction.Numbering function, PlaceInWhole piece) {
        double[] shares = new double[partitions.rows()];
        boolean ranks = function.place() == WindowFunction.Place.PERCENT_RANK;
        int[] peers = ranks ? partitions.firstPeers() : partitions.peerEnds();
        for (int p = 0; p < partitions.count(); p++) {
            int start = partitions.start(p);
            long count = piece == null ? partitions.end(p) - start : piece.rows();
            for (int row = start; row < partitions.end(p); row++) {
                long before = (piece == null ? 0 : piece.before()) + peers[row] - start;
                shares[row] = ranks ? count == 1 ? 0 : (double) before / (count - 1) : (double) before / count;
            }
        }
        return shares;
    }
}
