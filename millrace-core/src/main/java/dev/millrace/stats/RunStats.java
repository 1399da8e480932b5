package dev.millrace.stats;

import java.util.List;

/// A run as a whole. Operators stand in the order of the data.
///
/// @param hints what makes the run slow, as far as its figures show it; empty for one that is as it should be
public record RunStats(
        String name,
        State state,
        long elapsedNanos,
        List<OperatorStats> operators,
        long outputRows,
        long outputBytes,
        long memoryBytes,
        long peakMemoryBytes,
        List<Hint> hints) {
    /// How far a run is.
    public enum State {
        RUNNING,
        FINISHED,
        FAILED,
        CANCELLED
    }

    public RunStats {
        operators = List.copyOf(operators);
        hints = List.copyOf(hints);
    }

    /// Without hints.
    public RunStats(
            String name,
            State state,
            long elapsedNanos,
            List<OperatorStats> operators,
            long outputRows,
            long outputBytes,
            long memoryBytes,
            long peakMemoryBytes) {
        this(name, state, elapsedNanos, operators, outputRows, outputBytes, memoryBytes, peakMemoryBytes, List.of());
    }
}
