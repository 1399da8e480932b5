package dev.millrace.internal.plan.optimize;

import dev.millrace.expression.Alias;
import dev.millrace.expression.ColumnReference;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.internal.transform.ColumnProjection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Merges two consecutive projections, unless that would compute an expression twice. Removes a projection that changes
/// nothing. Projections with an error policy are not merged.
///
/// ```
/// Project(select b + 1 as c)
/// +- Project(select a as b)        =>     Project(select a + 1 as c)
///    +- Read(a)                           +- Read(a)
/// ```
final class MergeProjections implements OptimizerRule {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return PlanRewrite.bottomUp(plan, MergeProjections::merge);
    }

    private static LogicalPlan merge(LogicalPlan node) {
        if (!(node instanceof LogicalPlan.Project outer)
                || !(outer.projection() instanceof ColumnProjection.Select upper)) {
            return node;
        }
        if (isIdentity(outer, upper)) {
            return outer.input();
        }
        if (!(outer.input() instanceof LogicalPlan.Project inner)
                || !(inner.projection() instanceof ColumnProjection.Select lower)
                || !outer.onError().isFail()
                || !inner.onError().isFail()) {
            return node;
        }
        Map<String, Expression> made = new HashMap<>();
        lower.columns().forEach(column -> made.put(column.name(), column.expression()));
        if (computesTwice(upper, made)) {
            return node;
        }
        List<ColumnProjection.Named> merged = upper.columns().stream()
                .map(column -> new ColumnProjection.Named(
                        column.name(), column.expression().substitute(made)))
                .toList();
        return merge(outer.withInput(inner.input())
                .withProjection(new ColumnProjection.Select(merged), outer.schema())
                .withSite(CallSite.joined(inner.site(), outer.site())));
    }

    private static boolean isIdentity(LogicalPlan.Project project, ColumnProjection.Select select) {
        return project.input().schema().isPresent()
                && project.input()
                        .schema()
                        .get()
                        .names()
                        .equals(select.columns().stream()
                                .map(ColumnProjection.Named::name)
                                .toList())
                && select.columns().stream()
                        .allMatch(c -> c.expression() instanceof ColumnReference r
                                && r.name().equals(c.name()));
    }

    /// True if a lower expression that is expensive, or not deterministic, would occur in two places.
    private static boolean computesTwice(ColumnProjection.Select upper, Map<String, Expression> made) {
        Map<String, Integer> uses = new HashMap<>();
        for (ColumnProjection.Named column : upper.columns()) {
            countUses(column.expression(), uses);
        }
        return uses.entrySet().stream().anyMatch(use -> use.getValue() > 1 && !isFree(made.get(use.getKey())));
    }

    private static void countUses(Expression expression, Map<String, Integer> uses) {
        if (expression instanceof ColumnReference reference) {
            uses.merge(reference.name(), 1, Integer::sum);
        }
        expression.children().forEach(child -> countUses(child, uses));
    }

    private static boolean isFree(@Nullable Expression expression) {
        return expression == null
                || expression instanceof ColumnReference
                || expression instanceof Literal
                || expression instanceof Alias alias && isFree(alias.input());
    }
}
