package dev.millrace.internal.sql;

import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rex.RexInputRef;

/// Hides aggregates that a subquery is correlated by, as in `(SELECT count(*) FROM b WHERE b.x = t.most)` where `most`
/// is a `max(x)`: Calcite's decorrelation checks whether such a column may be null and takes it for a key of the
/// aggregate, which has no key of that number ("index out of range").
///
/// `Correlate(left, right)` becomes `Correlate(Project(key, OPAQUE(most)) <- left, right)`.
final class CorrelatedMeasures extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(LogicalCorrelate correlate) {
        LogicalCorrelate visited = (LogicalCorrelate) super.visit(correlate);
        RelNode left = visited.getLeft();
        if (visited.getRequiredColumns().asList().stream().noneMatch(column -> isMeasure(left, column))) {
            return visited;
        }
        RelNode hidden =
                OpaqueColumns.of(left, column -> visited.getRequiredColumns().get(column) && isMeasure(left, column));
        return visited.copy(visited.getTraitSet(), List.of(hidden, visited.getRight()));
    }

    /// Whether a column is the unchanged result of an aggregate call, not one of its keys.
    private static boolean isMeasure(RelNode node, int column) {
        return switch (node) {
            case Project project ->
                project.getProjects().get(column) instanceof RexInputRef ref
                        && isMeasure(project.getInput(), ref.getIndex());
            case Aggregate aggregate ->
                column >= aggregate.getGroupCount()
                        || isMeasure(
                                aggregate.getInput(), aggregate.getGroupSet().nth(column));
            case Filter filter -> isMeasure(filter.getInput(), column);
            case Join join -> isMeasureOfPair(join.getLeft(), join.getRight(), column);
            case Correlate correlate -> isMeasureOfPair(correlate.getLeft(), correlate.getRight(), column);
            default -> false;
        };
    }

    private static boolean isMeasureOfPair(RelNode left, RelNode right, int column) {
        int columns = left.getRowType().getFieldCount();
        return column < columns ? isMeasure(left, column) : isMeasure(right, column - columns);
    }
}
