package dev.millrace.testing;

import dev.millrace.compute.Resources;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.ToleratedErrors;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The messages between driver and worker of a [LoopbackRuntime]; every message is sent as bytes.
sealed interface LoopbackMessage extends Serializable {
    // From the driver.

    /// @param actor the actor's id, or -1 for none
    record Submit(
            long task,
            String operator,
            byte[] program,
            long actor,
            List<BlockBytes> inputs,
            int credit,
            Resources resources)
            implements LoopbackMessage {}

    record Grant(long task, int blocks) implements LoopbackMessage {}

    record Cancel(long task) implements LoopbackMessage {}

    record StartActor(long actor, String operator, byte[] program, Resources resources, int concurrency)
            implements LoopbackMessage {}

    record StopActor(long actor) implements LoopbackMessage {}

    // From the worker.

    record Ready(long task, BlockBytes block) implements LoopbackMessage {}

    record Paused(long task) implements LoopbackMessage {}

    /// @param failure null when the task finished
    record Ended(long task, byte @Nullable [] failure, boolean workerLost, Report report) implements LoopbackMessage {}

    /// @param failure null when the actor is ready
    record ActorState(long actor, byte @Nullable [] failure, boolean workerLost) implements LoopbackMessage {}

    // In both directions: the last message.

    record Bye() implements LoopbackMessage {}

    /// The report of a task in serialisable form.
    record Report(
            long wall,
            long cpu,
            long waited,
            long paused,
            String node,
            HashMap<String, Long> counters,
            ArrayList<ToleratedErrors> errors,
            ArrayList<FunctionUse> functions,
            @Nullable Serializable told)
            implements Serializable {
        static Report of(TaskReport report, String node) {
            return new Report(
                    report.wallNanos(),
                    report.cpuNanos(),
                    report.waitNanos(),
                    report.pausedNanos(),
                    node,
                    new HashMap<>(report.counters()),
                    new ArrayList<>(report.errors()),
                    new ArrayList<>(report.functions()),
                    report.told());
        }

        TaskReport unpack() {
            return new TaskReport(
                    wall,
                    cpu,
                    waited,
                    paused,
                    node,
                    Map.copyOf(counters),
                    List.copyOf(errors),
                    List.copyOf(functions),
                    told);
        }
    }
}
