package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;

/// Hides from Calcite what a column is: `OPAQUE(column)` has the column's values and type, and no rule knows more.
final class OpaqueColumns {
    private OpaqueColumns() {}

    /// `Project(OPAQUE(a), b) <- input`, where `a` is to be hidden.
    static RelNode of(RelNode input, IntPredicate isHidden) {
        RexBuilder builder = input.getCluster().getRexBuilder();
        List<RexNode> columns = new ArrayList<>();
        for (int i = 0; i < input.getRowType().getFieldCount(); i++) {
            RexNode column = builder.makeInputRef(input, i);
            columns.add(isHidden.test(i) ? of(column, builder) : column);
        }
        return LogicalProject.create(
                input, List.of(), columns, input.getRowType().getFieldNames(), Set.of());
    }

    static RexNode of(RexNode value, RexBuilder builder) {
        return builder.makeCall(value.getType(), ScalarFunctions.OPAQUE, List.of(value));
    }
}
