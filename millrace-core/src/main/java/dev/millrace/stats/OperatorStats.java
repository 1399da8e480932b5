package dev.millrace.stats;

import java.util.Map;
import java.util.OptionalLong;

/// One operator of a run, now or at its end.
///
/// @param name e.g. "Range -> map(double) -> filter(even)"
/// @param totalTasks how many tasks there will be, where that is known
/// @param totalRows how many rows it will put out, where that is known
/// @param wall task time on the worker, without waiting for credit
/// @param queueWait how long input blocks waited before a task took them
/// @param heldNanos time in which work was there but a policy refused it, by policy name
/// @param heldReason the policy's latest refusal, or null when the operator is not held
/// @param queuedBlocks,queuedBytes finished output that nobody has taken yet
/// @param peakBytes most block memory of this operator at one time (queued output and running tasks' output)
/// @param actors living actors (0 for tasks)
/// @param counters sums of the tasks' own counters
public record OperatorStats(
        String name,
        long tasksRunning,
        long tasksFinished,
        long tasksFailed,
        OptionalLong totalTasks,
        OptionalLong totalRows,
        long inputRows,
        long inputBytes,
        long outputBlocks,
        long outputRows,
        long outputBytes,
        Distribution wall,
        Distribution cpu,
        Distribution rowsPerBlock,
        Distribution bytesPerBlock,
        Distribution queueWait,
        Map<String, Long> heldNanos,
        String heldReason,
        int queuedBlocks,
        long queuedBytes,
        long peakBytes,
        int actors,
        boolean finished,
        Map<String, Long> counters) {}
