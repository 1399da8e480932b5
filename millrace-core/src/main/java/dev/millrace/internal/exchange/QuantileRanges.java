package dev.millrace.internal.exchange;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// For each quantile, the rows of sorted runs that it may be among, as a part of its own: at most about four of 1,024
/// rows of all runs, however often numbers occur. The samples alone determine between which two samples a quantile
/// lies; only rows between these two are read.
///
/// @param quantiles ascending
record QuantileRanges(List<Double> quantiles) implements ReduceAssignment {
    public QuantileRanges {
        quantiles = List.copyOf(quantiles);
    }

    /// The argument of a part. The number at `rank` and the next one are neither below `low` nor above `high`.
    ///
    /// @param rank of the quantile's number in the order of all
    /// @param beyond the fraction of the way from there to the next number
    /// @param upToLow rows outside the part's spans that are `low` or less
    /// @param scales for each span the divisor of its numbers
    record Place(
            double quantile,
            long rank,
            double beyond,
            double low,
            double high,
            long upToLow,
            double scale,
            double[] scales)
            implements Serializable {}

    @Override
    public List<ReducePart> assign(List<List<MapOutput>> sides, long partBytes) {
        List<SortedNumbers> told = new ArrayList<>();
        for (MapOutput output : sides.getFirst()) {
            told.add((SortedNumbers) output.requireShards());
        }
        double scale = told.stream().mapToDouble(SortedNumbers::scale).max().orElse(1);
        List<SortedNumbers> runs = told.stream().map(run -> run.scaledTo(scale)).toList();
        long total = runs.stream().mapToLong(SortedNumbers::rows).sum();
        if (total == 0) {
            return List.of();
        }
        double[] candidates = candidates(runs);
        List<ReducePart> parts = new ArrayList<>();
        for (double quantile : quantiles) {
            parts.add(part(quantile, told, runs, total, scale, candidates));
        }
        return parts;
    }

    /// All sampled numbers, in order.
    private static double[] candidates(List<SortedNumbers> runs) {
        int count = runs.stream().mapToInt(run -> run.samples().length + 1).sum();
        double[] candidates = new double[count];
        int at = 0;
        for (SortedNumbers run : runs) {
            if (run.rows() > 0) {
                System.arraycopy(run.samples(), 0, candidates, at, run.samples().length);
                at += run.samples().length;
                candidates[at++] = run.last();
            }
        }
        candidates = Arrays.copyOf(candidates, at);
        Arrays.sort(candidates);
        return candidates;
    }

    private static ReducePart part(
            double quantile,
            List<SortedNumbers> told,
            List<SortedNumbers> runs,
            long total,
            double scale,
            double[] candidates) {
        double place = quantile * (total - 1);
        long rank = (long) place;
        double low = candidates[lastWithAtMost(runs, candidates, rank)];
        double high = candidates[firstWithAtLeast(runs, candidates, Math.min(rank + 2, total))];
        List<ShardSpan> spans = new ArrayList<>();
        List<Double> scales = new ArrayList<>();
        long upToLow = 0;
        for (int i = 0; i < runs.size(); i++) {
            long from = runs.get(i).surelyUpTo(low);
            long to = runs.get(i).maybeBelow(high);
            upToLow += from;
            if (to > from) {
                spans.add(new ShardSpan(i, from, to - from, null));
                scales.add(told.get(i).scale());
            }
        }
        double[] ofSpans = scales.stream().mapToDouble(Double::doubleValue).toArray();
        return new ReducePart(
                0, 1, List.of(spans), new Place(quantile, rank, place - rank, low, high, upToLow, scale, ofSpans));
    }

    /// The greatest candidate that certainly has no more than `most` rows below it. The first one always satisfies
    /// that.
    private static int lastWithAtMost(List<SortedNumbers> runs, double[] candidates, long most) {
        int with = 0;
        int without = candidates.length;
        while (without - with > 1) {
            int middle = with + without >>> 1;
            double number = candidates[middle];
            if (runs.stream().mapToLong(run -> run.maybeBelow(number)).sum() <= most) {
                with = middle;
            } else {
                without = middle;
            }
        }
        return with;
    }

    /// The least candidate that certainly has this many rows up to it. The last one always satisfies that.
    private static int firstWithAtLeast(List<SortedNumbers> runs, double[] candidates, long least) {
        int without = -1;
        int with = candidates.length - 1;
        while (with - without > 1) {
            int middle = without + with >>> 1;
            double number = candidates[middle];
            if (runs.stream().mapToLong(run -> run.surelyUpTo(number)).sum() >= least) {
                with = middle;
            } else {
                without = middle;
            }
        }
        return with;
    }
}
