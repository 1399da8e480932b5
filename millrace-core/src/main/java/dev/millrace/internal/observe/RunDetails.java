package dev.millrace.internal.observe;

import dev.millrace.stats.RunStats;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A run as an observer sees it, at one moment.
///
/// @param operators in the order of those of the stats
/// @param tasks running ones, a sample of those that ended, and the slowest of these; empty if the run is not observed
/// @param bytesPerNode queued blocks, by the node that has them; empty with one node
/// @param failure the sentence that ended the run; null if it did not fail
public record RunDetails(
        RunStats stats,
        List<OperatorDetails> operators,
        List<TaskSample> tasks,
        List<RunError> errors,
        Map<String, Long> bytesPerNode,
        @Nullable String failure) {
    public RunDetails {
        operators = List.copyOf(operators);
        tasks = List.copyOf(tasks);
        errors = List.copyOf(errors);
        bytesPerNode = Map.copyOf(bytesPerNode);
    }
}
