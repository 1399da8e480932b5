package dev.millrace.internal.plan.optimize;

import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.internal.transform.ColumnProjection;
import dev.millrace.internal.transform.ProjectionResolution;

/// Every projection over a known schema becomes a plain list of named expressions.
///
/// ```
/// Project(drop b)              Project(select a, c)
/// +- Read(a, b, c)      =>     +- Read(a, b, c)
/// ```
final class ResolveProjections implements OptimizerRule {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return PlanRewrite.bottomUp(plan, node -> {
            if (node instanceof LogicalPlan.Project project
                    && !(project.projection() instanceof ColumnProjection.Select)
                    && project.input().schema().isPresent()) {
                ColumnProjection.Select select = ProjectionResolution.resolve(
                        project.projection(), project.input().schema().get());
                return project.withProjection(select, project.schema());
            }
            return node;
        });
    }
}
