package dev.millrace.internal.expression;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import java.util.List;

/// Computes an expression without columns once, when it is bound.
final class Folding {
    private static final long LIMIT = 64L << 20;

    private Folding() {}

    /// The constant that the node computes.
    static Node fold(Node node) {
        if (node.isConstant()) {
            return node;
        }
        try (Allocator allocator = Allocator.root("constants", LIMIT)) {
            Rows row = new Rows(Block.of(Schema.empty(), List.of(), 1), allocator, null);
            Column column = node.column(row);
            try {
                return new Constant(node.type(), column.value(0));
            } finally {
                column.release();
            }
        }
    }
}
