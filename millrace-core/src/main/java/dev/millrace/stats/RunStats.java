package dev.millrace.stats;

import java.util.List;

/// A run as a whole. Operators stand in the order of the data.
public record RunStats(
        String name,
        State state,
        long elapsedNanos,
        List<OperatorStats> operators,
        long outputRows,
        long outputBytes,
        long memoryBytes,
        long peakMemoryBytes) {
    public enum State {
        RUNNING,
        FINISHED,
        FAILED,
        CANCELLED
    }

    public RunStats {
        operators = List.copyOf(operators);
    }
}
