package dev.millrace.internal.operator;

import dev.millrace.internal.flight.BackpressureFlightEvent;
import dev.millrace.internal.stats.RunFigures;
import dev.millrace.internal.stats.RunHintRules;
import dev.millrace.internal.transform.TaskCounters;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.runtime.TaskReport;
import dev.millrace.stats.Distribution;
import dev.millrace.stats.FileStats;
import dev.millrace.stats.OperatorStats;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Counts the activity of an operator. Loop thread only; [#snapshot] returns it as a value.
public final class OperatorMeter {
    private long tasksFinished;
    private long tasksFailed;
    private long tasksStopped;
    private long inputRows;
    private long inputBytes;
    /// Of the input rows, those of tasks that have finished.
    private long finishedRows;

    private long peakBytes;
    private final DistributionTally wall = new DistributionTally();
    private final DistributionTally cpu = new DistributionTally();
    private final DistributionTally rowsPerBlock = new DistributionTally();
    private final DistributionTally bytesPerBlock = new DistributionTally();
    private final DistributionTally queueWait = new DistributionTally();
    private final DistributionTally rowsPerTask = new DistributionTally();
    private RunFigures.@Nullable SlowTask slowest;
    private final Map<String, Long> counters = new HashMap<>();
    private final Map<String, FunctionUse> functions = new LinkedHashMap<>();
    private final Map<String, Long> held = new LinkedHashMap<>();
    private @Nullable String heldBy;
    private @Nullable String heldReason;
    private long heldSince;
    /// Of the time in which the policy above holds the operator back; null unless it is recorded.
    private @Nullable BackpressureFlightEvent holding;

    private final String operator;

    OperatorMeter(String operator) {
        this.operator = operator;
    }

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

    /// @param rows of its input; 0 if it reads
    /// @param input describes it
    void finished(TaskReport report, long rows, Supplier<String> input) {
        tasksFinished++;
        finishedRows += rows;
        report(report, true);
        long taken = Math.max(rows, report.counters().getOrDefault(TaskCounters.ROWS_IN, 0L));
        rowsPerTask.add(taken);
        long nanos = report.wallNanos();
        if (nanos >= RunHintRules.LONG_TASK && (slowest == null || nanos > slowest.nanos())) {
            slowest = new RunFigures.SlowTask(nanos, taken, input.get());
        }
    }

    /// Input rows of the tasks that have finished.
    Distribution rowsPerTask() {
        return rowsPerTask.snapshot();
    }

    /// Of these tasks; null if none took long.
    RunFigures.@Nullable SlowTask slowest() {
        return slowest;
    }

    void failed(TaskReport report) {
        tasksFailed++;
        report(report, false);
    }

    /// A task ended early: no more of its output is wanted.
    void stopped(TaskReport report) {
        tasksStopped++;
        report(report, true);
    }

    /// A task was preempted to free memory and will run again.
    void yielded(TaskReport report) {
        counters.merge(TaskCounters.TASKS_YIELDED, 1L, Long::sum);
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
                boolean own = name.startsWith(TaskCounters.OWN);
                if (counts || !own && !TaskCounters.NOT_OF_FAILED.contains(name)) {
                    counters.merge(own ? name.substring(TaskCounters.OWN.length()) : name, amount, Long::sum);
                }
            });
        }
    }

    /// From now on this policy holds the operator back; null if none does.
    public void heldBy(@Nullable String policy, long now) {
        if (Objects.equals(heldBy, policy)) {
            return;
        }
        if (heldBy != null) {
            held.merge(heldBy, now - heldSince, Long::sum);
        }
        recordHold(policy);
        heldBy = policy;
        heldReason = null;
        heldSince = now;
    }

    private void recordHold(@Nullable String policy) {
        if (holding != null) {
            holding.commit();
            holding = null;
        }
        if (policy != null) {
            BackpressureFlightEvent begun = new BackpressureFlightEvent();
            if (begun.isEnabled()) {
                begun.operator = operator;
                begun.policy = policy;
                begun.begin();
                holding = begun;
            }
        }
    }

    public @Nullable String heldBy() {
        return heldBy;
    }

    /// The reason given by the policy that holds the operator back.
    public void heldReason(@Nullable String reason) {
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

    /// What the tasks that have ended counted under a name.
    long counted(String counter) {
        return counters.getOrDefault(counter, 0L);
    }

    /// Whether batches were made smaller for lack of memory.
    boolean hasShrunk() {
        return counters.containsKey(TaskCounters.BATCHES_SHRUNK);
    }

    /// @param running what is known of running tasks
    /// @param over the run has ended: what it put out is its consumer's
    OperatorStats snapshot(TaskOperator operator, RunningProgress running, boolean over, long now) {
        Map<String, Long> heldNow = new LinkedHashMap<>(held);
        if (heldBy != null) {
            heldNow.merge(heldBy, now - heldSince, Long::sum);
        }
        boolean reads = operator instanceof ReadOperator;
        boolean writes = operator.writes();
        return new OperatorStats(
                operator.name(),
                operator.lines(),
                operator.inFlight(),
                tasksFinished,
                tasksFailed,
                tasksStopped,
                operator.isFinished() ? OptionalLong.of(operator.launcher().tasksStarted()) : operator.totalTasks(),
                operator.totalRows(),
                done(operator, running),
                reads ? counted(TaskCounters.ROWS_IN) + running.inputRows() : inputRows,
                reads ? counted(TaskCounters.BYTES_IN) : inputBytes,
                reads ? Optional.of(files(TaskCounters.FILES_READ, TaskCounters.BYTES_READ)) : Optional.empty(),
                writes ? Optional.of(files(TaskCounters.FILES_WRITTEN, TaskCounters.BYTES_WRITTEN)) : Optional.empty(),
                writes ? 0 : rowsPerBlock.count(),
                rowsMade(operator, running),
                writes ? counted(TaskCounters.BYTES_WRITTEN) : bytesPerBlock.total(),
                wall.snapshot(),
                cpu.snapshot(),
                writes ? Distribution.NONE : rowsPerBlock.snapshot(),
                writes ? Distribution.NONE : bytesPerBlock.snapshot(),
                queueWait.snapshot(),
                Map.copyOf(heldNow),
                heldBy,
                heldBy == null ? null : heldReason,
                over ? 0 : operator.queuedBlocks(),
                over ? 0 : operator.queuedBytes(),
                peakBytes,
                operator.slots().actors(),
                operator.isFinished(),
                Map.copyOf(counters));
    }

    /// Rows that were made or written, by running tasks too.
    private long rowsMade(TaskOperator operator, RunningProgress running) {
        long ended = operator.writes() ? counted(TaskCounters.ROWS_WRITTEN) : rowsPerBlock.total();
        return ended + running.outputRows();
    }

    /// How much of its work is done, where the whole is known: by the rows that it makes, or gets, or by tasks.
    private OptionalDouble done(TaskOperator operator, RunningProgress running) {
        if (operator.isFinished()) {
            return OptionalDouble.of(1);
        }
        if (operator.totalRows().isPresent()) {
            return share(
                    (double) rowsMade(operator, running), operator.totalRows().getAsLong());
        }
        OptionalLong whole = operator.totalInputRows();
        if (whole.isPresent()) {
            return share((double) (finishedRows + running.inputRows()), whole.getAsLong());
        }
        return operator.totalTasks().isPresent()
                ? share(tasksFinished + running.tasks(), operator.totalTasks().getAsLong())
                : OptionalDouble.empty();
    }

    private static OptionalDouble share(double done, long whole) {
        return whole <= 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.min(1, done / whole));
    }

    private FileStats files(String files, String bytes) {
        return new FileStats(counted(files), counted(bytes));
    }
}
