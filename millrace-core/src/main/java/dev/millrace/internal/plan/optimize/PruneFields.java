package dev.millrace.internal.plan.optimize;

import dev.millrace.internal.expression.UsedFields;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.internal.transform.ColumnProjection;
import dev.millrace.source.Source;
import dev.millrace.type.Schema;
import java.util.Optional;

/// Reads only those fields of structs that a projection above uses, if no node between it and the read uses the whole
/// struct.
///
/// ```
/// Project(select p.x)                  Project(select p.x)
/// +- Read(p: struct<x, y>)      =>     +- Read(p: struct<x>)
/// ```
final class PruneFields implements OptimizerRule {
    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return PlanRewrite.bottomUp(
                plan,
                node -> node instanceof LogicalPlan.Project project
                                && project.projection() instanceof ColumnProjection.Select select
                                && project.onError().isFail()
                        ? prune(project, select)
                        : node);
    }

    private static LogicalPlan prune(LogicalPlan.Project project, ColumnProjection.Select select) {
        UsedFields used = new UsedFields();
        select.columns().forEach(column -> used.add(column.expression()));
        return below(project.input(), used).map(project::withInput).orElse(project);
    }

    /// The same plan over a narrower read; empty if nothing gets narrower.
    private static Optional<LogicalPlan> below(LogicalPlan node, UsedFields used) {
        return switch (node) {
            case LogicalPlan.Read read -> narrow(read, used);
            case LogicalPlan.Filter filter
            when filter.onError().isFail() -> {
                used.add(filter.predicate());
                yield through(filter, used);
            }
            case LogicalPlan.Limit limit -> through(limit, used);
            case ShufflePlan shuffle when shuffle.keys().isEmpty() -> through(shuffle, used);
            // Nodes that may use whole columns.
            default -> Optional.empty();
        };
    }

    private static Optional<LogicalPlan> through(LogicalPlan.Unary node, UsedFields used) {
        return below(node.input(), used).map(node::withInput);
    }

    private static Optional<LogicalPlan> narrow(LogicalPlan.Read read, UsedFields used) {
        Optional<Schema> schema = read.schema();
        if (schema.isEmpty()) {
            return Optional.empty();
        }
        Schema narrower = used.narrow(schema.get());
        if (narrower.equals(schema.get())) {
            return Optional.empty();
        }
        Optional<Source> source = read.source().narrow(narrower);
        return source.map(read::withSource);
    }
}
