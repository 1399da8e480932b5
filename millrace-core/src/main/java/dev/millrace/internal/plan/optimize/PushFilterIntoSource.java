package dev.millrace.internal.plan.optimize;

import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.TimeLiterals;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;

/// Predicate pushdown into the source: a filter directly above a read is offered to the source; what the source does
/// not take stays.
///
/// ```
/// Filter(a > 5 and f(b))            Filter(f(b))
/// +- Read(source)            =>     +- Read(source where a > 5)
/// ```
final class PushFilterIntoSource implements OptimizerRule {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return PlanRewrite.bottomUp(plan, node -> {
            if (!(node instanceof LogicalPlan.Filter filter)
                    || !filter.onError().isFail()
                    || !(filter.input() instanceof LogicalPlan.Read read)) {
                return node;
            }
            Expression predicate = read.schema()
                    .map(schema -> TimeLiterals.resolve(filter.predicate(), schema))
                    .orElse(filter.predicate());
            return read.source()
                    .filter(predicate)
                    .<LogicalPlan>map(pushed -> {
                        LogicalPlan narrowed = read.withSource(pushed.source());
                        return pushed.remainder() == null
                                ? narrowed
                                : filter.withInput(narrowed).withPredicate(pushed.remainder());
                    })
                    .orElse(node);
        });
    }
}
