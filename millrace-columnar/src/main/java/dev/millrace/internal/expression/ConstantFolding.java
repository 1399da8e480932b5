package dev.millrace.internal.expression;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import java.util.List;

/// Evaluates an expression without columns once, when it is bound.
final class ConstantFolding {
    private static final long LIMIT = 64L << 20;

    private ConstantFolding() {}

    /// The constant value of the node.
    static ExpressionNode fold(ExpressionNode node) {
        if (node.isConstant()) {
            return node;
        }
        try (Allocator allocator = Allocator.root("constants", LIMIT)) {
            EvaluationRows row = new EvaluationRows(Block.of(Schema.empty(), List.of(), 1), allocator, null);
            Column column = node.column(row);
            try {
                return new ConstantNode(node.type(), column.value(0));
            } finally {
                column.release();
            }
        }
    }
}
