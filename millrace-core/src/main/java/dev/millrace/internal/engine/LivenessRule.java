package dev.millrace.internal.engine;

import dev.millrace.internal.operator.OutputOperator;
import dev.millrace.internal.operator.TaskOperator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The only liveness rule: if no task runs, one may start. When no task computes and output is wanted, the first
/// operator in rank that has its input may start one task beyond its budget. Before that, if the oldest task of an
/// operator waits for an actor behind younger tasks that are out of credit, one of these may emit one more block.
///
/// This guarantees progress: available input always makes a task possible here; a computing task ends, pauses or emits;
/// a paused task resumes when its blocks are taken, without asking any policy.
final class LivenessRule {
    private LivenessRule() {}

    /// @param startable input is ready and every policy that does not yield agrees; false once `start` has failed
    /// @param start starts one task; false when its resources are not available (then the run is woken when they are
    ///     released)
    /// @return whether resources were freed for a task that has none: to be called again after trying to start it
    static boolean ensure(
            List<TaskOperator> operators,
            OutputOperator output,
            Predicate<TaskOperator> startable,
            Predicate<TaskOperator> start) {
        if (!output.isAsked() || output.isFinished() || !output.wantsMore() || isAnythingGoingOn(operators)) {
            return false;
        }
        for (TaskOperator operator : operators) {
            if (operator.stuck().unblockOldest()) {
                return false;
            }
        }
        // In a loop, because a call may be queued in an actor behind one that is out of credit, and then computes
        // nothing.
        TaskOperator best;
        while (!isAnythingGoingOn(operators) && (best = first(operators, startable)) != null) {
            var _ = start.test(best);
        }
        return !isAnythingGoingOn(operators) && freesResources(operators);
    }

    /// Actors keep what they have, and a paused task can go on only where it is. Nodes that were lost, or actors that
    /// came to a node since, may so leave a task nothing on any node, or on its own: an idle actor is stopped, or the
    /// task is run again on another node.
    private static boolean freesResources(List<TaskOperator> operators) {
        for (TaskOperator operator : operators) {
            if (operator.stuck().movesPaused()) {
                return false;
            }
        }
        for (TaskOperator operator : operators) {
            if (operator.stuck().lacksRoom()) {
                for (TaskOperator other : operators) {
                    if (other.slots().stopIdleHolder()) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static @Nullable TaskOperator first(List<TaskOperator> operators, Predicate<TaskOperator> startable) {
        TaskOperator best = null;
        for (TaskOperator operator : operators) {
            if (startable.test(operator) && OperatorRanking.isBefore(operator, best)) {
                best = operator;
            }
        }
        return best;
    }

    /// True when a task computes, or an actor is about to become ready or to fail.
    static boolean isAnythingGoingOn(List<TaskOperator> operators) {
        for (TaskOperator operator : operators) {
            if (operator.isComputing()
                    || !operator.isFinished() && operator.slots().isStarting()) {
                return true;
            }
        }
        return false;
    }
}
