package dev.millrace.batch;

import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.kernel.Selection;
import dev.millrace.memory.Allocator;

/// Expressions over a batch.
final class BatchExpressions {
    private BatchExpressions() {}

    static Column evaluate(Expression expression, Batch batch, Allocator allocator) {
        throw MillraceException.internal("expressions are not evaluated yet");
    }

    static Selection select(Expression condition, Batch batch, Allocator allocator) {
        throw MillraceException.internal("expressions are not evaluated yet");
    }
}
