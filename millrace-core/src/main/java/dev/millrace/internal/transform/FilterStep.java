package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.type.Schema;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Keeps the rows for which the predicate is true (not false, not null). Bound to the schema of the chunks as they
/// arrive.
///
/// @param site the user's line
public record FilterStep(Expression predicate, ErrorPolicy onError, String site) implements TransformStep {
    public FilterStep(Expression predicate) {
        this(predicate, ErrorPolicy.fail(), CallSite.UNKNOWN);
    }

    @Override
    public String name() {
        return "filter(" + predicate + ")";
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return new FilterTransform(context);
    }

    private final class FilterTransform implements ChunkTransform {
        private static final String BOUND = "the predicate is bound to a chunk before it is computed";

        private final StepContext context;
        private final ErrorBisection halving;
        private @Nullable Schema schema;
        private @Nullable BoundExpression bound;

        FilterTransform(StepContext context) {
            this.context = context;
            this.halving = new ErrorBisection(name(), site, onError, context, this::select, this::select);
        }

        @Override
        public void accept(Block chunk, ChunkSink out) throws Exception {
            Block kept;
            try (chunk) {
                if (!Objects.equals(schema, chunk.schema())) {
                    bind(chunk.schema());
                }
                kept = halving.compute(chunk);
            }
            out.emit(kept == null ? Blocks.empty(Objects.requireNonNull(schema, BOUND)) : kept);
        }

        /// An expression that cannot be bound fails on every row: no policy tolerates that.
        private void bind(Schema to) {
            try {
                bound = BoundExpression.bind(predicate, to);
                schema = to;
            } catch (MillraceException e) {
                throw UserCode.located(name() + CallSite.suffix(site), context.position(), e);
            }
        }

        private Block select(Block rows) {
            return Blocks.take(
                    context.allocator(),
                    rows,
                    Objects.requireNonNull(bound, BOUND).select(rows, context.allocator()));
        }
    }
}
