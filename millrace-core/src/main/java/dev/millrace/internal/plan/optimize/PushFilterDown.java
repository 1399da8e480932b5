package dev.millrace.internal.plan.optimize;

import dev.millrace.expression.Expression;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.internal.transform.ColumnProjection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Predicate pushdown: filters move towards the reads: through projections (rewritten in the columns below), through
/// other filters (merged with them), through sorts, into every input of a union of known schema, and to the sides of a
/// join. They stop at user functions, limits and samples, whose result depends on the rows they see. Nodes with an
/// error policy stay where they are: which rows fail depends on the rows they see.
///
/// ```
/// Filter(c > 5)
/// +- Project(select a as c)         =>     Project(select a as c)
///    +- Read(a)                            +- Filter(a > 5)
///                                             +- Read(a)
/// ```
final class PushFilterDown implements OptimizerRule {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        FilterPushdown sinking = new FilterPushdown();
        return PlanRewrite.bottomUp(
                plan, node -> node instanceof LogicalPlan.Filter filter ? sinking.sink(filter) : node);
    }

    /// One application of the rule. It caches, by identity, which predicates are deterministic: of thousands of
    /// consecutive filters each is examined once.
    private static final class FilterPushdown {
        private final Set<Expression> deterministic = Collections.newSetFromMap(new IdentityHashMap<>());

        private boolean isMovable(LogicalPlan.Filter filter) {
            Expression predicate = filter.predicate();
            if (!filter.onError().isFail()) {
                return false;
            }
            return deterministic.contains(predicate) || predicate.isDeterministic() && deterministic.add(predicate);
        }

        LogicalPlan sink(LogicalPlan.Filter filter) {
            if (!isMovable(filter)) {
                return filter;
            }
            return switch (filter.input()) {
                case LogicalPlan.Filter below when isMovable(below) -> sink(merged(below, filter));
                case ShufflePlan.Sort sort -> sort.withInput(sink(filter.withInput(sort.input())));
                case LogicalPlan.Project project ->
                    throughProject(filter, project).orElse(filter);
                case LogicalPlan.Joined joined -> FilterBelowJoin.sink(filter, joined, this::sink);
                case LogicalPlan.Union union
                when union.inputs().stream().allMatch(i -> sameTypes(i, union, filter)) ->
                    union.withInputs(union.inputs().stream()
                            .map(input -> sink(filter.withInput(input)))
                            .toList());
                // Stays above everything else.
                default -> filter;
            };
        }

        private LogicalPlan.Filter merged(LogicalPlan.Filter below, LogicalPlan.Filter above) {
            Expression both = below.predicate().and(above.predicate());
            deterministic.add(both);
            return above.withInput(below.input())
                    .withPredicate(both)
                    .withSite(CallSite.joined(below.site(), above.site()));
        }

        private Optional<LogicalPlan> throughProject(LogicalPlan.Filter filter, LogicalPlan.Project project) {
            if (!(project.projection() instanceof ColumnProjection.Select select)
                    || !project.onError().isFail()) {
                return Optional.empty();
            }
            Map<String, Expression> made = new HashMap<>();
            for (ColumnProjection.Named column : select.columns()) {
                made.put(column.name(), column.expression());
            }
            Set<String> read = filter.predicate().columns();
            boolean movable = read.stream().allMatch(name -> {
                Expression source = made.get(name);
                // An expression that can fail or is expensive is computed once, above: only references are pushed.
                return source != null
                        && source.columns().size() == 1
                        && source.children().isEmpty();
            });
            if (!movable) {
                return Optional.empty();
            }
            Expression below = filter.predicate().substitute(made);
            return Optional.of(
                    project.withInput(sink(filter.withInput(project.input()).withPredicate(below))));
        }

        /// A filter means the same below a union only on columns that the union does not convert.
        private static boolean sameTypes(LogicalPlan input, LogicalPlan.Union union, LogicalPlan.Filter filter) {
            if (input.schema().isEmpty() || union.schema().isEmpty()) {
                return false;
            }
            return filter.predicate().columns().stream()
                    .allMatch(name -> input.schema().get().contains(name)
                            && input.schema()
                                    .get()
                                    .type(name)
                                    .equals(union.schema().get().type(name)));
        }
    }
}
