package dev.millrace.models.tuning;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides what to measure next, and what to choose in the end. Pure: the same points give the same answer.
///
/// For each number of actors the batch size is doubled as long as throughput improves: first from one row, later in
/// both directions from the size that was best with fewer actors. A size that does not fit into memory ends that
/// direction: the midpoint between the largest size that worked and the one that did not is tried, and no size as large
/// again, not even with more actors.
final class TuningSearch {
    /// A smaller gain is noise.
    private static final double GAIN = 1.02;
    /// The number of sizes without a gain after which larger ones are abandoned.
    private static final int PATIENCE = 2;
    /// The share of the best rate that a choice with less memory must reach.
    private static final double EQUAL = 0.97;

    private TuningSearch() {}

    /// @param largest the maximum number of rows of a batch
    /// @param actors the numbers of actors to try, ascending
    record Space(int largest, List<Integer> actors) {
        Space {
            actors = actors.stream().distinct().sorted().toList();
        }
    }

    record Candidate(int batchSize, int actors) {}

    /// @param best null if no point worked
    record Decision(@Nullable TuningPoint best, String reason) {}

    /// The next candidate to measure; empty when the search is complete.
    static Optional<Candidate> next(Space space, List<TuningPoint> points) {
        for (int actors : space.actors()) {
            int cap = space.largest();
            for (TuningPoint point : points) {
                // More actors take more memory.
                if (!point.worked() && point.actors() <= actors) {
                    cap = Math.min(cap, point.batchSize() - 1);
                }
            }
            List<TuningPoint> same =
                    points.stream().filter(point -> point.actors() == actors).toList();
            int size = size(same, Math.min(cap, start(points)), cap);
            if (size > 0) {
                return Optional.of(new Candidate(size, actors));
            }
        }
        return Optional.empty();
    }

    /// The initial size: one row, or the best size so far.
    private static int start(List<TuningPoint> points) {
        return fastest(points).map(TuningPoint::batchSize).orElse(1);
    }

    /// The next size for this number of actors; 0: the search is complete for it.
    private static int size(List<TuningPoint> points, int start, int cap) {
        List<TuningPoint> worked = points.stream()
                .filter(TuningPoint::worked)
                .sorted(Comparator.comparingInt(TuningPoint::batchSize))
                .toList();
        if (worked.isEmpty()) {
            int failed = points.stream().mapToInt(TuningPoint::batchSize).min().orElse(2 * start);
            return Math.min(cap, failed / 2);
        }
        TuningPoint best = firstBest(worked);
        int largest = worked.getLast().batchSize();
        long beyond = worked.stream()
                .filter(point -> point.batchSize() > best.batchSize())
                .count();
        if (beyond < PATIENCE && largest < cap) {
            long twice = 2L * largest;
            if (twice <= cap) {
                return (int) twice;
            }
            // The midpoint between a size that worked and one that cannot: only if throughput has increased with size
            // so far.
            if (beyond == 0 && cap - largest > largest / 4) {
                return largest + (cap - largest + 1) / 2;
            }
        }
        int smallest = worked.getFirst().batchSize();
        boolean tried = points.stream().anyMatch(point -> point.batchSize() == smallest / 2);
        return smallest > 1 && best.batchSize() == smallest && !tried ? smallest / 2 : 0;
    }

    /// The smallest size that is as fast as the fastest, except for noise.
    private static TuningPoint firstBest(List<TuningPoint> worked) {
        double fastest = fastest(worked).orElseThrow().rowsPerSecond();
        return worked.stream()
                .filter(point -> point.rowsPerSecond() * GAIN >= fastest)
                .findFirst()
                .orElseThrow();
    }

    private static Optional<TuningPoint> fastest(List<TuningPoint> points) {
        return points.stream()
                .filter(TuningPoint::worked)
                .max(Comparator.comparingDouble(TuningPoint::rowsPerSecond)
                        .thenComparing(
                                Comparator.comparingInt(TuningPoint::batchSize).reversed()));
    }

    /// The fastest point, or one that is nearly as fast with less memory.
    static Decision decide(List<TuningPoint> points) {
        Optional<TuningPoint> fastest = fastest(points);
        if (fastest.isEmpty()) {
            String why =
                    points.isEmpty() ? "nothing was measured" : points.getLast().failure();
            return new Decision(null, "No batch size works, not even the smallest that was tried: " + why);
        }
        TuningPoint top = fastest.get();
        TuningPoint best = points.stream()
                .filter(point -> point.worked() && point.rowsPerSecond() >= EQUAL * top.rowsPerSecond())
                .min(Comparator.comparingLong(TuningPoint::peakBytes)
                        .thenComparingInt(point -> point.batchSize() * point.actors()))
                .orElse(top);
        if (best.equals(top)) {
            return new Decision(top, "the fastest of " + points.size() + " that were tried");
        }
        return new Decision(
                best,
                String.format(
                        Locale.ROOT,
                        "within %.1f %% of the fastest (batches of %d, %s: %.1f rows/s), with less memory",
                        100 * (1 - best.rowsPerSecond() / top.rowsPerSecond()),
                        top.batchSize(),
                        actors(top.actors()),
                        top.rowsPerSecond()));
    }

    static String actors(int count) {
        return count == 1 ? "1 actor" : count + " actors";
    }
}
