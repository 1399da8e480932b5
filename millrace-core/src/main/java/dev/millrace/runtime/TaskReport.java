package dev.millrace.runtime;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a runtime measured for one task: on its worker, without the time it waited for credit or for a start.
///
/// @param waitNanos from submission to the start of the program
/// @param pausedNanos time spent waiting for credit
/// @param errors what the program reported with [TaskContext#tolerated]
/// @param functions what it reported with [TaskContext#used]
/// @param told the value of [TaskContext#tell], or null
public record TaskReport(
        long wallNanos,
        long cpuNanos,
        long waitNanos,
        long pausedNanos,
        String node,
        Map<String, Long> counters,
        List<ToleratedErrors> errors,
        List<FunctionUse> functions,
        @Nullable Serializable told) {
    public static final TaskReport EMPTY = new TaskReport(0, 0, 0, 0, "local", Map.of());

    /// A report without figures of functions and without a told value.
    public TaskReport(
            long wallNanos, long cpuNanos, long waitNanos, long pausedNanos, String node, Map<String, Long> counters) {
        this(wallNanos, cpuNanos, waitNanos, pausedNanos, node, counters, List.of(), List.of(), null);
    }
}
