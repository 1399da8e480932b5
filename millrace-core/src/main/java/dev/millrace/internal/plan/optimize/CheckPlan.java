package dev.millrace.internal.plan.optimize;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.expression.ExpressionTypes;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.internal.transform.ColumnProjection;

/// Only checks: every expression still finds its columns, and the plan still has the schema that the user saw.
final class CheckPlan implements OptimizerRule {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return PlanRewrite.bottomUp(plan, node -> {
            check(node);
            return node;
        });
    }

    private static void check(LogicalPlan node) {
        switch (node) {
            case LogicalPlan.Filter filter ->
                filter.input().schema().ifPresent(schema -> ExpressionTypes.typeOf(filter.predicate(), schema));
            case LogicalPlan.Project project
            when project.projection() instanceof ColumnProjection.Select select ->
                project.input()
                        .schema()
                        .ifPresent(schema -> select.columns()
                                .forEach(column -> ExpressionTypes.typeOf(column.expression(), schema)));
            // Nodes without expressions.
            default -> {}
        }
    }

    static void sameSchema(LogicalPlan before, LogicalPlan after) {
        if (before.schema().isPresent() && !before.schema().equals(after.schema())) {
            throw MillraceException.internal("The optimizer changed the schema from "
                    + before.schema().get() + " to " + after.schema() + ". Please report this plan.");
        }
    }
}
