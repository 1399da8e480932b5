package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.kernel.Selection;
import dev.millrace.memory.Allocator;

/// Expressions bound to the schema of the chunks that come; bound again only when the schema changes. One thread.
final class BoundExpressions {
    Selection select(Expression predicate, Block chunk, Allocator allocator) {
        throw MillraceException.internal("expressions are not evaluated yet");
    }

    Column evaluate(Expression expression, Block chunk, Allocator allocator) {
        throw MillraceException.internal("expressions are not evaluated yet");
    }
}
