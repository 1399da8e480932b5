package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.type.Schema;

/// Keeps the rows where the predicate is true (not false, not null). Bound to the schema of the chunks as they come.
public record FilterStep(Expression predicate) implements Step {
    @Override
    public String name() {
        return "filter(" + predicate + ")";
    }

    @Override
    public Transform open(StepContext context) {
        return new Filtering(context);
    }

    private final class Filtering implements Transform {
        private final StepContext context;
        private Schema schema;
        private BoundExpression bound;

        Filtering(StepContext context) {
            this.context = context;
        }

        @Override
        public void accept(Block chunk, ChunkSink out) throws Exception {
            Block kept;
            try (chunk) {
                if (!chunk.schema().equals(schema)) {
                    bound = BoundExpression.bind(predicate, chunk.schema());
                    schema = chunk.schema();
                }
                kept = Blocks.take(context.allocator(), chunk, bound.select(chunk, context.allocator()));
            } catch (MillraceException e) {
                throw UserCode.located(name(), context.position(), e);
            }
            out.emit(kept);
        }
    }
}
