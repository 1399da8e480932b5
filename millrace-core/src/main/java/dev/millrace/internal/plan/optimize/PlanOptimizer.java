package dev.millrace.internal.plan.optimize;

import dev.millrace.internal.plan.logical.LogicalPlan;
import java.util.List;

/// The rules, in order.
public final class PlanOptimizer {
    private static final List<OptimizerRule> RULES = List.of(
            // First, so that all later rules see one form of projection wherever the schema is known.
            new ResolveProjections(),
            // Moves filters below projections, next to each other and next to the reads.
            new PushFilterDown(),
            // After filters were moved from between them.
            new MergeProjections(),
            // Pushes limits through nodes that keep the number of rows; needs filters in their final place.
            new PushLimitDown(),
            // For a limit that was pushed down to a sort.
            new SortedLimit(),
            // Sources take what they can of the filters directly above them ...
            new PushFilterIntoSource(),
            // ... before columns are pruned: a filter that the source took needs no column any more.
            new PruneColumns(),
            // Of the remaining columns, structs lose unused fields.
            new PruneFields(),
            new PushLimitIntoSource(),
            // Changes nothing: checks that the plan still means what the user asked for.
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
