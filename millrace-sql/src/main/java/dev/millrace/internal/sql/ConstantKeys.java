package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/// Hides constant grouping keys, because Calcite's decorrelation removes them from the keys. An aggregate without keys
/// returns a row for an empty input, where one by a constant returns none: an uncorrelated EXISTS is such an aggregate.
/// And conditions over a correlated aggregate use the wrong column in place of the constant, as in
/// `x NOT IN (SELECT 3 FROM ...)`.
///
/// `Aggregate(group = {0}) <- Project(true)` becomes `Aggregate(group = {0}) <- Project(OPAQUE(true))`.
final class ConstantKeys extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(LogicalAggregate aggregate) {
        LogicalAggregate visited = (LogicalAggregate) super.visit(aggregate);
        if (!(visited.getInput() instanceof LogicalProject project)) {
            return visited;
        }
        long constants = visited.getGroupSet().asList().stream()
                .filter(key -> isConstant(project.getProjects().get(key)))
                .count();
        boolean exists =
                project.getProjects().size() == 1 && visited.getAggCallList().isEmpty();
        if (constants == 0 || exists && QueryDecorrelation.isCorrelated(visited)) {
            return visited;
        }
        RexBuilder builder = visited.getCluster().getRexBuilder();
        List<RexNode> projects = new ArrayList<>(project.getProjects());
        for (int key : visited.getGroupSet()) {
            RexNode constant = projects.get(key);
            if (isConstant(constant)) {
                projects.set(key, builder.makeCall(constant.getType(), ScalarFunctions.OPAQUE, List.of(constant)));
            }
        }
        RelNode hidden = project.copy(project.getTraitSet(), project.getInput(), projects, project.getRowType());
        return visited.copy(visited.getTraitSet(), List.of(hidden));
    }

    /// Rules simplify an expression of literals to one: `CAST(NULL AS DATE) + 1` is a null.
    private static boolean isConstant(RexNode key) {
        boolean isHidden = key instanceof RexCall call && call.getOperator().equals(ScalarFunctions.OPAQUE);
        return !isHidden && RexUtil.isConstant(key);
    }
}
