package dev.millrace.internal.sql;

import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;

/// Hides a null literal that is tested by NOT IN: Calcite takes `NULL NOT IN (SELECT ...)` for unknown, but it is true
/// if the subquery has no rows.
final class NullOperands extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(RelNode node) {
        RelNode visited = super.visit(node);
        RexBuilder builder = node.getCluster().getRexBuilder();
        return visited.accept(new RexShuttle() {
            @Override
            public RexNode visitSubQuery(RexSubQuery query) {
                List<RexNode> operands = query.getOperands().stream()
                        .map(operand ->
                                RexUtil.isNullLiteral(operand, true) ? OpaqueColumns.of(operand, builder) : operand)
                        .toList();
                RexSubQuery inside = query.clone(query.rel.accept(NullOperands.this));
                return inside.clone(query.getType(), operands);
            }
        });
    }
}
