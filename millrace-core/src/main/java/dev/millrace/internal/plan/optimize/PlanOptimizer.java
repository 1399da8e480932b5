package dev.millrace.internal.plan.optimize;

import dev.millrace.internal.plan.logical.LogicalPlan;
import java.util.List;

/// The rules, in order.
public final class PlanOptimizer {
    private static final List<OptimizerRule> RULES = List.of(
            // First, so that all later rules see one form of projection wherever the schema is known.
            new ResolveProjections(),
            // Brings filters below projections, next to each other and next to the reads.
            new PushFilterDown(),
            // After the filters left the gaps between them.
            new MergeProjections(),
            // Limits sink through what keeps the number of rows; needs filters in their final place.
            new PushLimitDown(),
            // A limit that has come down to a sort.
            new SortedLimit(),
            // Sources take what they can of the filters that now sit on them ...
            new PushFilterIntoSource(),
            // ... before columns are pruned: a filter that the source took needs no column any more.
            new PruneColumns(),
            // Of the columns that are left, structs lose the fields that nobody uses.
            new PruneFields(),
            new PushLimitIntoSource(),
            // Changes nothing: the plan still means what the user asked for.
            new CheckPlan());

    private PlanOptimizer() {}

    public static LogicalPlan optimize(LogicalPlan plan) {
        LogicalPlan optimized = plan;
        for (OptimizerRule rule : RULES) {
            optimized = rule.apply(optimized);
        }
        CheckPlan.sameSchema(plan, optimized);
        return optimized;
    }
}
