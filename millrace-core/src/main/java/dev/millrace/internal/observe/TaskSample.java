package dev.millrace.internal.observe;

import org.jspecify.annotations.Nullable;

/// One attempt of a task, for a timeline.
///
/// @param operator its position among the operators of the run's stats
/// @param input what it worked on: "part-3.parquet", "rows 0 to 99 of part-3.parquet"
/// @param node where it ran; null: in a runtime of one node
/// @param startNanos,endNanos since the start of the run; of a running one the end is now
/// @param cpuNanos,pausedNanos of it; 0 while it runs
/// @param rows of its input; 0 if it reads
/// @param slow whether it is one of the slowest of its operator
public record TaskSample(
        long id,
        int operator,
        String input,
        @Nullable String node,
        long startNanos,
        long endNanos,
        long cpuNanos,
        long pausedNanos,
        long rows,
        Outcome outcome,
        boolean slow) {
    /// How the attempt ended.
    public enum Outcome {
        RUNNING,
        FINISHED,
        FAILED
    }

    TaskSample asSlow() {
        return new TaskSample(
                id, operator, input, node, startNanos, endNanos, cpuNanos, pausedNanos, rows, outcome, true);
    }
}
