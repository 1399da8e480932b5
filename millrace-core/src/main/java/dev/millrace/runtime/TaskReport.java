package dev.millrace.runtime;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/// What a runtime measured of one task: on its worker, without the time it waited for credit or for a start.
///
/// @param waitNanos from submission to the start of the program
/// @param pausedNanos time spent waiting for credit
/// @param errors what the program told with [TaskContext#tolerated]
/// @param functions what it told with [TaskContext#used]
/// @param told what it told with [TaskContext#tell], or null
public record TaskReport(
        long wallNanos,
        long cpuNanos,
        long waitNanos,
        long pausedNanos,
        String node,
        Map<String, Long> counters,
        List<ToleratedErrors> errors,
        List<FunctionUse> functions,
        Serializable told) {
    public static final TaskReport EMPTY = new TaskReport(0, 0, 0, 0, "local", Map.of());

    /// A report without what functions used and told.
    public TaskReport(
            long wallNanos, long cpuNanos, long waitNanos, long pausedNanos, String node, Map<String, Long> counters) {
        this(wallNanos, cpuNanos, waitNanos, pausedNanos, node, counters, List.of(), List.of(), null);
    }
}
