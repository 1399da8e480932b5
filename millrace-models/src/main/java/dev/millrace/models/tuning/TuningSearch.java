package dev.millrace.models.tuning;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What to measure next, and what to choose in the end. Pure: the same points give the same answer.
///
/// For each number of actors batches are doubled as long as that pays; the first time from one row, later from the size
/// that was best with fewer actors, in both directions. A size for which there is no memory is the end of that
/// direction: halves are tried, what lies between the largest size that worked and the one that did not, and nothing as
/// large again, also not with more actors.
final class TuningSearch {
    /// Less than this is noise.
    private static final double GAIN = 1.02;
    /// Sizes without a gain before larger ones are given up.
    private static final int PATIENCE = 2;
    /// What a choice may be slower than the fastest if it takes less memory.
    private static final double EQUAL = 0.97;

    private TuningSearch() {}

    /// @param largest rows of a batch
    /// @param actors their numbers, ascending
    record Space(int largest, List<Integer> actors) {
        Space {
            actors = actors.stream().distinct().sorted().toList();
        }
    }

    record Candidate(int batchSize, int actors) {}

    /// @param best null if nothing worked
    record Decision(@Nullable TuningPoint best, String reason) {}

    /// The next to measure; empty when there is nothing more to learn.
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

    /// Where to begin: one row, or the best size so far.
    private static int start(List<TuningPoint> points) {
        return fastest(points).map(TuningPoint::batchSize).orElse(1);
    }

    /// 0: nothing more to learn for this number of actors.
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
            // Between what worked and what cannot: worth a try only if larger was better so far.
            if (beyond == 0 && cap - largest > largest / 4) {
                return largest + (cap - largest + 1) / 2;
            }
        }
        int smallest = worked.getFirst().batchSize();
        boolean tried = points.stream().anyMatch(point -> point.batchSize() == smallest / 2);
        return smallest > 1 && best.batchSize() == smallest && !tried ? smallest / 2 : 0;
    }

    /// The smallest size that is as fast as the fastest, but for noise.
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

    /// The fastest, or one that is nearly as fast with less memory.
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
