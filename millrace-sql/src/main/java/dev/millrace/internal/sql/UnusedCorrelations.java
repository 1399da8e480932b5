package dev.millrace.internal.sql;

import com.google.common.collect.ImmutableSet;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;

/// Turns a correlation whose right side uses no column of its left (any more) into a cross join; decorrelation ignores
/// these. Also removes unused correlation variables from projections and filters whose subqueries have become joins.
final class UnusedCorrelations extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(LogicalProject project) {
        LogicalProject visited = (LogicalProject) super.visit(project);
        return visited.getVariablesSet().isEmpty()
                ? visited
                : LogicalProject.create(
                        visited.getInput(),
                        visited.getHints(),
                        visited.getProjects(),
                        visited.getRowType(),
                        ImmutableSet.of());
    }

    @Override
    public RelNode visit(LogicalFilter filter) {
        LogicalFilter visited = (LogicalFilter) super.visit(filter);
        return visited.getVariablesSet().isEmpty()
                ? visited
                : LogicalFilter.create(visited.getInput(), visited.getCondition());
    }

    @Override
    public RelNode visit(LogicalCorrelate correlate) {
        LogicalCorrelate visited = (LogicalCorrelate) super.visit(correlate);
        if (RelOptUtil.getVariablesUsed(visited.getRight()).contains(visited.getCorrelationId())) {
            return visited;
        }
        return LogicalJoin.create(
                visited.getLeft(),
                visited.getRight(),
                visited.getHints(),
                visited.getCluster().getRexBuilder().makeLiteral(true),
                Set.of(),
                visited.getJoinType());
    }
}
