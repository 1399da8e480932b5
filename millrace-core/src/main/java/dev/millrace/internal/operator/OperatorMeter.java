package dev.millrace.internal.operator;

import dev.millrace.internal.transform.TaskCounters;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.runtime.TaskReport;
import dev.millrace.stats.OperatorStats;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// Counts the activity of an operator. Loop thread only; [#snapshot] returns it as a value.
public final class OperatorMeter {
    private long tasksFinished;
    private long tasksFailed;
    private long inputRows;
    private long inputBytes;
    private long peakBytes;
    private final DistributionTally wall = new DistributionTally();
    private final DistributionTally cpu = new DistributionTally();
    private final DistributionTally rowsPerBlock = new DistributionTally();
    private final DistributionTally bytesPerBlock = new DistributionTally();
    private final DistributionTally queueWait = new DistributionTally();
    private final Map<String, Long> counters = new HashMap<>();
    private final Map<String, FunctionUse> functions = new LinkedHashMap<>();
    private final Map<String, Long> held = new LinkedHashMap<>();
    private String heldBy;
    private String heldReason;
    private long heldSince;

    void input(long rows, long bytes) {
        inputRows += rows;
        inputBytes += bytes;
    }

    void waited(long nanos) {
        queueWait.add(nanos);
    }

    void output(long rows, long bytes) {
        rowsPerBlock.add(rows);
        bytesPerBlock.add(bytes);
    }

    void memory(long bytes) {
        peakBytes = Math.max(peakBytes, bytes);
    }

    void finished(TaskReport report) {
        tasksFinished++;
        report(report, true);
    }

    void failed(TaskReport report) {
        tasksFailed++;
        report(report, false);
    }

    /// A task was preempted to free memory and will run again.
    void yielded(TaskReport report) {
        counters.merge("tasksYieldedMemory", 1L, Long::sum);
        report(report, false);
    }

    /// A task got fewer rows than its batch should have, for lack of memory.
    void cutBundle() {
        counters.merge(TaskCounters.BATCHES_SHRUNK, 1L, Long::sum);
    }

    private void report(TaskReport report, boolean counts) {
        wall.add(report.wallNanos());
        cpu.add(report.cpuNanos());
        for (FunctionUse use : report.functions()) {
            functions.merge(use.function(), use, FunctionUse::plus);
        }
        if (!report.counters().isEmpty()) {
            report.counters().forEach((name, amount) -> {
                if (counts || !TaskCounters.ERRORS.contains(name)) {
                    counters.merge(name, amount, Long::sum);
                }
            });
        }
    }

    /// From now on this policy holds the operator back; null if none does.
    public void heldBy(String policy, long now) {
        if (heldBy == policy) {
            return;
        }
        if (heldBy != null) {
            held.merge(heldBy, now - heldSince, Long::sum);
        }
        heldBy = policy;
        heldReason = null;
        heldSince = now;
    }

    public String heldBy() {
        return heldBy;
    }

    /// The reason given by the policy that holds the operator back.
    public void heldReason(String reason) {
        heldReason = reason;
    }

    public long tasksFinished() {
        return tasksFinished;
    }

    public long outputBlocks() {
        return rowsPerBlock.count();
    }

    public long outputRows() {
        return rowsPerBlock.total();
    }

    public long outputBytes() {
        return bytesPerBlock.total();
    }

    long inputRows() {
        return inputRows;
    }

    /// The figures of the functions of all tasks that have ended.
    List<FunctionUse> functions() {
        return List.copyOf(functions.values());
    }

    /// Whether batches were made smaller for lack of memory.
    boolean hasShrunk() {
        return counters.containsKey(TaskCounters.BATCHES_SHRUNK);
    }

    OperatorStats snapshot(
            RunningOperator operator,
            long running,
            OptionalLong totalTasks,
            OptionalLong totalRows,
            int queuedBlocks,
            long queuedBytes,
            int actors,
            long now) {
        Map<String, Long> heldNow = new LinkedHashMap<>(held);
        if (heldBy != null) {
            heldNow.merge(heldBy, now - heldSince, Long::sum);
        }
        return new OperatorStats(
                operator.name(),
                running,
                tasksFinished,
                tasksFailed,
                totalTasks,
                totalRows,
                inputRows,
                inputBytes,
                rowsPerBlock.count(),
                rowsPerBlock.total(),
                bytesPerBlock.total(),
                wall.snapshot(),
                cpu.snapshot(),
                rowsPerBlock.snapshot(),
                bytesPerBlock.snapshot(),
                queueWait.snapshot(),
                Map.copyOf(heldNow),
                heldBy == null ? null : heldReason,
                queuedBlocks,
                queuedBytes,
                peakBytes,
                actors,
                operator.isFinished(),
                Map.copyOf(counters));
    }
}
