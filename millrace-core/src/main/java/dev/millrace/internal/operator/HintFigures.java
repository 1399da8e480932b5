package dev.millrace.internal.operator;

import dev.millrace.internal.stats.RunFigures;
import dev.millrace.stats.OperatorStats;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Collects the figures that hints about a run are drawn from. Loop thread only.
public final class HintFigures {
    private HintFigures() {}

    /// @param operators those with tasks, in the order of their positions
    /// @param stats of the same
    /// @param shared other runs use the CPUs too
    public static List<RunFigures.Operator> of(
            List<TaskOperator> operators, List<OperatorStats> stats, boolean shared, long now) {
        // In the order of the data flow, so what a limit leaves is known before the next operator is asked.
        Set<RunningOperator> limited = new HashSet<>();
        for (TaskOperator operator : operators) {
            if (passesLimit(operator) || operator instanceof MapOperator && limited.contains(operator)) {
                limited.add(operator.feeds());
            }
        }
        List<RunFigures.Operator> figures = new ArrayList<>();
        for (int i = 0; i < operators.size(); i++) {
            TaskOperator operator = operators.get(i);
            figures.add(new RunFigures.Operator(
                    stats.get(i),
                    kind(operator),
                    operator.feeds() instanceof TaskOperator next ? next.position() : -1,
                    limited.contains(operator),
                    operator.slots().use(shared, now),
                    operator.need().gpus(),
                    operator.need().memory(),
                    operator.slots().maxTasks(),
                    operator.meter().rowsPerTask(),
                    operator.meter().slowest()));
        }
        return figures;
    }

    /// No operator collects its input before it emits.
    public static boolean streams(List<RunningOperator> operators) {
        return operators.stream()
                .allMatch(operator -> operator instanceof ReadOperator
                        || operator instanceof MapOperator
                        || operator instanceof LimitOperator
                        || operator instanceof UnionOperator
                        || operator instanceof OutputOperator);
    }

    private static boolean passesLimit(TaskOperator operator) {
        for (RunningOperator next = operator.requireOutput().to();
                !next.equals(operator.feeds());
                next = next.requireOutput().to()) {
            if (next instanceof LimitOperator) {
                return true;
            }
        }
        return false;
    }

    private static RunFigures.Kind kind(TaskOperator operator) {
        return switch (operator) {
            case ReadOperator _ -> RunFigures.Kind.READ;
            case MapOperator _ -> RunFigures.Kind.MAP;
            case BroadcastOperator _ -> RunFigures.Kind.OTHER;
            case ReduceOperator _ -> RunFigures.Kind.REDUCE;
            default -> RunFigures.Kind.OTHER;
        };
    }
}
