package dev.millrace.internal.sql;

import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.util.ImmutableBitSet;

/// Hides constant grouping keys, because Calcite's decorrelation removes them from the keys. An aggregate without keys
/// returns a row for an empty input, where one by a constant returns none: an uncorrelated EXISTS is such an aggregate.
/// And conditions over a correlated aggregate use the wrong column in place of the constant, as in
/// `x NOT IN (SELECT 3 FROM ...)`.
///
/// `Aggregate(group = {0}) <- Project(true)` becomes `Aggregate(group = {0}) <- Project(OPAQUE($0)) <- Project(true)`.
/// The constant may also come from far below: rules merge the projections in between.
final class ConstantKeys extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(LogicalAggregate aggregate) {
        LogicalAggregate visited = (LogicalAggregate) super.visit(aggregate);
        RelNode input = visited.getInput();
        List<Integer> constants = visited.getGroupSet().asList().stream()
                .filter(key -> isConstant(input, key))
                .toList();
        boolean exists = input instanceof Project project
                && project.getProjects().size() == 1
                && visited.getAggCallList().isEmpty();
        if (constants.isEmpty() || exists && QueryDecorrelation.isCorrelated(visited)) {
            return visited;
        }
        return visited.copy(
                visited.getTraitSet(), List.of(OpaqueColumns.of(input, ImmutableBitSet.of(constants)::get)));
    }

    /// Whether a column has one value in all rows that rules can find out.
    private static boolean isConstant(RelNode node, int column) {
        return switch (node) {
            case Project project -> isConstant(project.getProjects().get(column), project.getInput());
            case Filter filter -> isConstant(filter.getInput(), column);
            case Sort sort -> isConstant(sort.getInput(), column);
            case Aggregate aggregate ->
                column < aggregate.getGroupCount()
                        && isConstant(
                                aggregate.getInput(), aggregate.getGroupSet().nth(column));
            case Join join -> isConstant(join.getLeft(), join.getRight(), join.getJoinType(), column);
            case Correlate correlate ->
                isConstant(correlate.getLeft(), correlate.getRight(), correlate.getJoinType(), column);
            default -> false;
        };
    }

    private static boolean isConstant(RelNode left, RelNode right, JoinRelType type, int column) {
        int columns = left.getRowType().getFieldCount();
        return column < columns
                ? !type.generatesNullsOnLeft() && isConstant(left, column)
                : !type.generatesNullsOnRight() && isConstant(right, column - columns);
    }

    /// Rules simplify an expression of literals to one: `CAST(NULL AS DATE) + 1` is a null.
    private static boolean isConstant(RexNode value, RelNode input) {
        return switch (value) {
            case RexLiteral literal -> true;
            case RexInputRef ref -> isConstant(input, ref.getIndex());
            case RexOver window -> false;
            case RexSubQuery query -> false;
            case RexCall call ->
                !call.getOperator().equals(ScalarFunctions.OPAQUE)
                        && call.getOperator().isDeterministic()
                        && call.getOperands().stream().allMatch(operand -> isConstant(operand, input));
            default -> false;
        };
    }
}
