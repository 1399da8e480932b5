package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.expression.Expression;
import dev.millrace.internal.kernel.Selection;

/// Keeps the rows where the predicate is true (not false, not null).
public record FilterStep(Expression predicate) implements Step {
    @Override
    public String name() {
        return "filter(" + predicate + ")";
    }

    @Override
    public Transform open(StepContext context) {
        BoundExpressions bound = new BoundExpressions();
        return (chunk, out) -> {
            Block kept;
            try (chunk) {
                Selection selection = bound.select(predicate, chunk, context.allocator());
                kept = Blocks.take(context.allocator(), chunk, selection);
            }
            out.emit(kept);
        };
    }
}
