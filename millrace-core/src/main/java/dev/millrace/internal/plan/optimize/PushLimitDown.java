package dev.millrace.internal.plan.optimize;

import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;

/// Limit pushdown: limits move through projections and row maps, which keep the number of rows, so that fewer rows are
/// computed; two consecutive limits become one. The inputs of a union are cut to what the limit can use, below the
/// limit itself.
///
/// ```
/// Limit(3)
/// +- map(f)              =>     map(f)
///    +- Read                    +- Limit(3)
///                                  +- Read
/// ```
final class PushLimitDown implements OptimizerRule {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return PlanRewrite.bottomUp(plan, node -> node instanceof LogicalPlan.Limit limit ? sink(limit) : node);
    }

    private static LogicalPlan sink(LogicalPlan.Limit limit) {
        return switch (limit.input()) {
            case LogicalPlan.Limit below -> sink(merge(limit, below));
            case LogicalPlan.Project project when project.keepsRows() -> below(limit, project);
            case LogicalPlan.TransformRows rows when rows.keepsRows() -> below(limit, rows);
            case LogicalPlan.Union union
            when needed(limit) < Long.MAX_VALUE ->
                limit.withInput(union.withInputs(union.inputs().stream()
                        .map(input -> sink(new LogicalPlan.Limit(input, 0, needed(limit))))
                        .toList()));
            // Stays above everything else.
            default -> limit;
        };
    }

    private static LogicalPlan below(LogicalPlan.Limit limit, LogicalPlan.Unary node) {
        return node.withInput(sink(limit.withInput(node.input())));
    }

    /// Skips `upper.offset` rows of the output of `lower`, then takes the smaller of both.
    private static LogicalPlan.Limit merge(LogicalPlan.Limit upper, LogicalPlan.Limit lower) {
        long offset = saturatedSum(lower.offset(), upper.offset());
        long left = lower.rows() == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, lower.rows() - upper.offset());
        return new LogicalPlan.Limit(lower.input(), offset, Math.min(left, upper.rows()));
    }

    static long needed(LogicalPlan.Limit limit) {
        return saturatedSum(limit.offset(), limit.rows());
    }

    private static long saturatedSum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }
}
