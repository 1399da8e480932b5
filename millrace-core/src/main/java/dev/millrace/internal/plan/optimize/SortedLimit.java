package dev.millrace.internal.plan.optimize;

import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.internal.plan.logical.ShufflePlan;

/// Top-N: the first rows of a sort need no full sort, because each task keeps its first ones. More rows than a task
/// should hold are sorted.
///
/// ```
/// Limit(3 after 2)           Limit(3 after 2)
/// +- Sort(a)          =>     +- TopRows(5 by a)
///    +- Read                    +- Read
/// ```
final class SortedLimit implements OptimizerRule {
    private static final long MAX_ROWS = 1 << 14;

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return PlanRewrite.bottomUp(plan, node -> {
            if (node instanceof LogicalPlan.Limit limit
                    && limit.input() instanceof ShufflePlan.Sort sort
                    && sort.boundaries().isEmpty()
                    && PushLimitDown.needed(limit) <= MAX_ROWS) {
                LogicalPlan top = new LogicalPlan.TopRows(
                        sort.input(), sort.by(), (int) PushLimitDown.needed(limit), sort.site());
                return limit.withInput(top);
            }
            return node;
        });
    }
}
