package dev.millrace.internal.engine;

import dev.millrace.internal.operator.OutputOperator;
import dev.millrace.internal.operator.TaskOperator;
import java.util.List;
import java.util.function.Predicate;

/// The one liveness rule: if nothing runs, something may. When no task computes and output is wanted, the first in
/// rank that has its input may start one task over its budget. When none has, the oldest task may be waiting in an
/// actor behind a younger one that is out of credit; that one may emit a block more.
///
/// This is enough: input that is there always makes a task possible here; a task that computes ends, pauses or
/// emits; one that paused resumes when its blocks are taken, without asking any policy.
final class Liveness {
    private Liveness() {}

    /// @param startable input is ready and every policy that does not yield agrees
    /// @param start starts one task; false when its resources are not there (then whoever has them wakes the run)
    static void ensure(
            List<TaskOperator> operators,
            OutputOperator output,
            Predicate<TaskOperator> startable,
            Predicate<TaskOperator> start) {
        if (!output.isAsked() || output.isFinished() || !output.wantsMore()) {
            return;
        }
        TaskOperator best = null;
        for (TaskOperator operator : operators) {
            if (operator.isComputing() || operator.pool() != null && operator.pool().isStarting()) {
                return;
            }
            if (startable.test(operator) && Ranking.isBefore(operator, best)) {
                best = operator;
            }
        }
        if (best != null) {
            start.test(best);
            return;
        }
        for (TaskOperator operator : operators) {
            if (operator.forcePausedActor()) {
                return;
            }
        }
    }
}
