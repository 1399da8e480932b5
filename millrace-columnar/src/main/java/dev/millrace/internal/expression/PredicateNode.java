package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.type.DataType;

/// A condition that computes its result as bits; a column is created only if it is requested.
abstract class PredicateNode extends ExpressionNode {
    PredicateNode() {
        super(DataType.BOOL);
    }

    @Override
    abstract TruthBits truth(EvaluationRows rows);

    @Override
    final Column column(EvaluationRows rows) {
        return truth(rows).toColumn(rows.allocator());
    }
}
