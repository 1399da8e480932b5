package dev.millrace.internal.engine;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.operator.ProgramFactory;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import java.util.List;

/// Starts runs.
public final class ExecutionEngine {
    private ExecutionEngine() {}

    /// Starts a run with one consumer. Close it, also after a failure.
    ///
    /// @throws MillraceException culprit RESOURCES, when an operator needs resources that do not exist
    public static PlanRun start(PhysicalPlan plan, ExecutionContext context) {
        return start(plan, context, ProgramFactory.TRANSFORMS);
    }

    static PlanRun start(PhysicalPlan plan, ExecutionContext context, ProgramFactory programs) {
        return launch(plan, context, programs, 1, false).getFirst();
    }

    /// Starts a run whose output is distributed over several consumers, each with a view of its own, for its own
    /// thread. The run ends when every view is closed.
    ///
    /// @param equal each consumer gets the same number of rows, and a remainder smaller than their number is dropped;
    ///     otherwise a block goes to a consumer that waits, of several to the one with the fewest rows so far
    public static List<PlanRun> startSplit(PhysicalPlan plan, ExecutionContext context, int consumers, boolean equal) {
        return startSplit(plan, context, ProgramFactory.TRANSFORMS, consumers, equal);
    }

    static List<PlanRun> startSplit(
            PhysicalPlan plan, ExecutionContext context, ProgramFactory programs, int consumers, boolean equal) {
        if (consumers < 1) {
            throw MillraceException.user("A split needs 1 or more consumers, not " + consumers + ".");
        }
        return launch(plan, context, programs, consumers, equal);
    }

    private static List<PlanRun> launch(
            PhysicalPlan plan, ExecutionContext context, ProgramFactory programs, int consumers, boolean equal) {
        StreamingExecutor executor = new StreamingExecutor(plan, context, programs, consumers, equal);
        List<PlanRun> views = executor.views();
        executor.start();
        context.observer().accept(views.getFirst());
        return views;
    }
}
