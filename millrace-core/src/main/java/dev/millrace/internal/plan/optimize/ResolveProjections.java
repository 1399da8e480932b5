package dev.millrace.internal.plan.optimize;

import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.Rewrite;
import dev.millrace.internal.transform.Projection;
import dev.millrace.internal.transform.Projections;

/// Every projection over a known schema becomes a plain list of named expressions.
///
/// ```
/// Project(drop b)              Project(select a, c)
/// +- Read(a, b, c)      =>     +- Read(a, b, c)
/// ```
final class ResolveProjections implements Rule {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return Rewrite.bottomUp(plan, node -> {
            if (node instanceof LogicalPlan.Project project
                    && !(project.projection() instanceof Projection.Select)
                    && project.input().schema().isPresent()) {
                Projection.Select select = Projections.resolve(
                        project.projection(), project.input().schema().get());
                return project.withProjection(select, project.schema());
            }
            return node;
        });
    }
}
