package dev.millrace.internal.plan.optimize;

import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;

/// Limit pushdown: tells a source how many rows are needed at most. The limit stays: a source may read more.
///
/// ```
/// Limit(3)               Limit(3)
/// +- Read(s)      =>     +- Read(s up to 3 rows)
/// ```
final class PushLimitIntoSource implements OptimizerRule {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return PlanRewrite.bottomUp(plan, node -> {
            if (node instanceof LogicalPlan.Limit limit
                    && limit.input() instanceof LogicalPlan.Read read
                    && PushLimitDown.needed(limit) < Long.MAX_VALUE) {
                return read.source()
                        .limit(PushLimitDown.needed(limit))
                        .<LogicalPlan>map(source -> limit.withInput(read.withSource(source)))
                        .orElse(node);
            }
            return node;
        });
    }
}
