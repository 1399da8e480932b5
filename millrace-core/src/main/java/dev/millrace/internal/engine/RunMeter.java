package dev.millrace.internal.engine;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.observe.OperatorDetails;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.internal.observe.RunError;
import dev.millrace.internal.operator.HintFigures;
import dev.millrace.internal.operator.OperatorPipeline;
import dev.millrace.internal.operator.RunningOperator;
import dev.millrace.internal.operator.RunningProgress;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.stats.HintRules;
import dev.millrace.internal.stats.ResidentMemory;
import dev.millrace.internal.stats.RunFigures;
import dev.millrace.internal.stats.RunHintRules;
import dev.millrace.stats.GpuStats;
import dev.millrace.stats.Hint;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Measures one run: its time, its block memory and the CPU time that it left unused. [#stats] and [#details] return
/// that with the figures of its operators as values. Confined to the thread that drives the [TaskScheduler].
final class RunMeter {
    private final TaskScheduler.Wiring wiring;
    private final OperatorPipeline pipeline;
    private final TaskAdmission admission;
    private final RunCapacity capacity;
    private final WorkUnderWay work;
    private final long startedAt;
    private final double cpuBefore;
    private final long spilledBefore;
    private long endedAt;
    private long memory;
    private long peakMemory;

    /// Begins to measure.
    ///
    /// @param startedAt now, on the run's clock
    RunMeter(
            TaskScheduler.Wiring wiring,
            OperatorPipeline pipeline,
            TaskAdmission admission,
            RunCapacity capacity,
            WorkUnderWay work,
            long startedAt) {
        this.wiring = wiring;
        this.pipeline = pipeline;
        this.admission = admission;
        this.capacity = capacity;
        this.work = work;
        this.startedAt = startedAt;
        this.cpuBefore = wiring.runtime().cpuNanos().orElse(0);
        this.spilledBefore = wiring.runtime().spilledBytes();
    }

    /// Block memory of the run changed.
    void countBytes(long delta) {
        memory += delta;
        peakMemory = Math.max(peakMemory, memory);
    }

    /// The run has ended: its time stands still.
    void ended() {
        endedAt = wiring.clock().getAsLong();
    }

    /// CPU time, in nanoseconds, that was available since the run began but not used.
    double idleCpuTime(long time) {
        double spent =
                Math.max(capacity.usedCpuTime(time), wiring.runtime().cpuNanos().orElse(0) - cpuBefore);
        return Math.max(0, wiring.capacity().most().cpus() * (time - startedAt) - spent);
    }

    RunStats stats(RunStats.State state) {
        long time = endedAt != 0 ? endedAt : wiring.clock().getAsLong();
        List<OperatorStats> each = new ArrayList<>();
        List<Hint> hints = new ArrayList<>();
        Map<TaskOperator, RunningProgress> running = work.progress();
        admission.refresh();
        for (RunningOperator operator : pipeline.operators()) {
            if (operator instanceof TaskOperator withTasks) {
                admission.noteReason(withTasks);
                each.add(
                        withTasks.snapshot(running.getOrDefault(withTasks, new RunningProgress()), endedAt != 0, time));
                hints.addAll(HintRules.of(withTasks.figures(capacity.isShared(), time)));
            }
        }
        List<GpuStats> gpus =
                pipeline.tasks().stream().anyMatch(one -> one.need().gpus() > 0)
                        ? wiring.runtime().gpus()
                        : List.of();
        hints.addAll(RunHintRules.of(figures(each, gpus, time)));
        // What comes out of a write are notes of what was written, one for each task.
        Optional<OperatorStats> write =
                each.stream().filter(one -> one.written().isPresent()).findFirst();
        return new RunStats(
                wiring.name(),
                state,
                time - startedAt,
                each,
                write.map(OperatorStats::outputRows).orElse(pipeline.output().rows()),
                write.map(OperatorStats::outputBytes).orElse(pipeline.output().bytes()),
                memory,
                peakMemory,
                hints,
                work.tasksPerNode(),
                gpus);
    }

    private RunFigures figures(List<OperatorStats> each, List<GpuStats> gpus, long time) {
        boolean shared = capacity.isShared();
        List<TaskOperator> operators = pipeline.tasks();
        boolean declares = operators.stream().anyMatch(one -> one.need().memory() >= RunHintRules.MUCH_MEMORY);
        return new RunFigures(
                HintFigures.of(operators, each, shared, time),
                time - startedAt,
                HintFigures.streams(pipeline.operators()),
                shared || time <= startedAt ? 0 : idleCpuTime(time) / (time - startedAt),
                shared ? 0 : wiring.runtime().spilledBytes() - spilledBefore,
                declares && !wiring.runtime().shipsPrograms() ? ResidentMemory.peakBytes() : 0,
                gpus);
    }

    /// What an observer sees of the run.
    ///
    /// @param failure that ended it, or null
    RunDetails details(RunStats.State state, @Nullable MillraceException failure) {
        RunStats stats = stats(state);
        List<OperatorDetails> each = new ArrayList<>();
        List<RunError> errors = new ArrayList<>(work.errors());
        Map<String, Long> bytesPerNode = new TreeMap<>();
        for (TaskOperator operator : pipeline.tasks()) {
            each.add(operator.details());
            operator.listTolerated(errors, stats.elapsedNanos());
        }
        if (wiring.shares().nodes().size() > 1) {
            for (RunningOperator operator : pipeline.operators()) {
                operator.inputs().forEach(input -> input.tally(bytesPerNode));
            }
        }
        return new RunDetails(
                stats,
                each,
                work.samples(startedAt + stats.elapsedNanos()),
                errors,
                bytesPerNode,
                failure == null ? null : failure.getMessage());
    }
}
