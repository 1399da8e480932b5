package dev.millrace.models.tuning;

import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import java.util.List;
import java.util.Optional;

/// The measured curve, and the choice made from it.
///
/// @param points in the order they were measured
/// @param best empty if no point worked
/// @param reason why it is the best, or why there is none
/// @param complete false if the time was up before all promising points were tried
public record TuningReport(List<TuningPoint> points, Optional<TuningPoint> best, String reason, boolean complete) {
    public TuningReport {
        points = List.copyOf(points);
    }

    /// The best batch size, number of actors and threads, for `mapBatches`.
    public Compute compute() {
        TuningPoint point = best.orElseThrow(() -> MillraceException.resources(reason));
        return Compute.actors(point.actors()).cpus(point.threads()).batchSize(point.batchSize());
    }

    /// A table with a bar for each point, and the choice below it.
    @Override
    public String toString() {
        return CurveText.of(this);
    }
}
