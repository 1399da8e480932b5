package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.type.DataType;

/// A column of the block, shared and not copied.
final class InputNode extends ExpressionNode {
    private final int position;

    InputNode(DataType type, int position) {
        super(type);
        this.position = position;
    }

    int position() {
        return position;
    }

    @Override
    Column column(EvaluationRows rows) {
        return rows.block().column(position).retain();
    }
}
