package dev.millrace.internal.sql;

import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.logical.LogicalCorrelate;

/// Hides the correlated columns of a relation with outer joins. Calcite's decorrelation takes a column for one without
/// nulls if a condition below compares it, also if that is the condition of an outer join, which keeps rows where it
/// is not true. It then joins the subquery by `=`, which loses the rows whose column is null:
/// `t LEFT JOIN u ON t.k = u.k WHERE t.k NOT IN (SELECT ... WHERE v.k = t.k)`.
final class OuterJoinKeys extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(LogicalCorrelate correlate) {
        LogicalCorrelate visited = (LogicalCorrelate) super.visit(correlate);
        return hasOuterJoin(visited.getLeft())
                ? visited.copy(
                        visited.getTraitSet(),
                        List.of(
                                OpaqueColumns.of(visited.getLeft(), visited.getRequiredColumns()::get),
                                visited.getRight()))
                : visited;
    }

    private static boolean hasOuterJoin(RelNode node) {
        boolean[] found = new boolean[1];
        new RelVisitor() {
            @Override
            public void visit(RelNode inner, int ordinal, RelNode parent) {
                found[0] |= inner instanceof Join join && join.getJoinType().isOuterJoin();
                super.visit(inner, ordinal, parent);
            }
        }.go(node);
        return found[0];
    }
}
