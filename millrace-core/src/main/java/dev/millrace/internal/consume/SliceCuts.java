package dev.millrace.internal.consume;

import dev.millrace.error.MillraceException;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Cuts a list of block slices by rows or by blocks, without reading a block. The parts have references of their own;
/// the caller keeps its own.
public final class SliceCuts {
    private SliceCuts() {}

    /// The rows before `indices[0]`, from there to `indices[1]`, and so on: one part more than there are indices. An
    /// index beyond the end results in empty parts.
    public static List<List<BlockSlice>> at(List<BlockSlice> slices, long... indices) {
        List<List<BlockSlice>> parts = new ArrayList<>();
        long from = 0;
        for (int i = 0; i <= indices.length; i++) {
            long to = i < indices.length ? indices[i] : Long.MAX_VALUE;
            parts.add(between(slices, from, to));
            from = to;
        }
        return parts;
    }

    /// Rows `from` to `to`.
    public static List<BlockSlice> between(List<BlockSlice> slices, long from, long to) {
        List<BlockSlice> part = new ArrayList<>();
        long position = 0;
        for (BlockSlice slice : slices) {
            long start = Math.max(from, position);
            long end = Math.min(to, position + slice.rows());
            if (start < end) {
                part.add(slice.slice(start - position, end - start));
            }
            position += slice.rows();
        }
        return part;
    }

    /// `parts` runs of equal numbers of rows; the remainder is in none.
    public static List<List<BlockSlice>> equal(List<BlockSlice> slices, int parts) {
        long each = slices.stream().mapToLong(BlockSlice::rows).sum() / parts;
        List<List<BlockSlice>> result = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            result.add(between(slices, i * each, (i + 1) * each));
        }
        return result;
    }

    /// Whole blocks in `parts` runs whose numbers of blocks differ by one at most.
    public static List<List<BlockSlice>> byBlocks(List<BlockSlice> slices, int parts) {
        List<List<BlockSlice>> result = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < parts; i++) {
            int to = (int) ((long) slices.size() * (i + 1) / parts);
            result.add(slices.subList(from, to).stream()
                    .map(slice -> slice.slice(0, slice.rows()))
                    .toList());
            from = to;
        }
        return result;
    }

    /// The cut positions of `rows` rows for these fractions, each part at least one row if there are enough rows; the
    /// rest is a last part.
    public static long[] proportions(long rows, double... fractions) {
        double sum = Arrays.stream(fractions).sum();
        if (fractions.length == 0 || Arrays.stream(fractions).anyMatch(f -> !(f > 0)) || sum >= 1) {
            throw MillraceException.user("splitProportionately needs fractions above 0 whose sum is below 1, not "
                    + Arrays.toString(fractions) + ": the rest is the last part.");
        }
        long[] indices = new long[fractions.length];
        double share = 0;
        for (int i = 0; i < fractions.length; i++) {
            share += fractions[i];
            // The added epsilon keeps 10 x (0.1 + 0.2) at 3 in spite of binary fractions.
            indices[i] = (long) Math.floor(rows * share + 1e-9);
        }
        return indices;
    }

    public static long[] checkIndices(long... indices) {
        for (int i = 0; i < indices.length; i++) {
            if (indices[i] < 0 || i > 0 && indices[i] < indices[i - 1]) {
                throw MillraceException.user(
                        "splitAtIndices needs indices of 0 or more that ascend, not " + Arrays.toString(indices) + ".");
            }
        }
        return indices;
    }
}
