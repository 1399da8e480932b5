package dev.millrace.models.tuning;

import org.jspecify.annotations.Nullable;

/// The measurement of one batch size and number of actors.
///
/// @param threads the number of CPUs of each actor
/// @param rowsPerSecond of all actors together; 0 if it failed
/// @param peakBytes the growth of the process: models, their intermediate results, the batches
/// @param failure why it failed, or null
public record TuningPoint(
        int batchSize,
        int actors,
        int threads,
        double rowsPerSecond,
        long peakBytes,
        @Nullable String failure) {
    /// Whether it ran; otherwise there was not enough memory.
    public boolean worked() {
        return failure == null;
    }

    /// "batches of 8, 2 actors: 41.0 rows/s, 310 MiB"
    @Override
    public String toString() {
        return CurveText.progress(this);
    }
}
