package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.internal.fault.FaultKind;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Selects, renames and computes columns. Resolved against the schema of the chunks as they arrive, once per schema.
///
/// Under the policy that writes nulls, an expression that fails on a row is null there; the other columns of the row
/// keep their values.
///
/// @param site the user's line
public record ProjectStep(ColumnProjection projection, ErrorPolicy onError, String site) implements TransformStep {
    public ProjectStep(ColumnProjection projection) {
        this(projection, ErrorPolicy.fail(), CallSite.UNKNOWN);
    }

    @Override
    public String name() {
        return switch (projection) {
            case ColumnProjection.Select select -> "select(" + names(select.columns()) + ")";
            case ColumnProjection.Drop drop -> "drop(" + String.join(", ", drop.columns()) + ")";
            case ColumnProjection.Rename rename ->
                "rename(" + String.join(", ", rename.names().keySet()) + ")";
            case ColumnProjection.RenameAll renamed -> "rename(" + String.join(", ", renamed.names()) + ")";
            case ColumnProjection.WithColumns added -> "withColumns(" + names(added.columns()) + ")";
        };
    }

    private static String names(List<ColumnProjection.Named> columns) {
        return columns.stream().map(ColumnProjection.Named::name).collect(Collectors.joining(", "));
    }

    @Override
    public boolean keepsRowCount() {
        return onError.keepsRows();
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return new ProjectTransform(context);
    }

    private final class ProjectTransform implements ChunkTransform {
        private static final String BOUND = "expressions are bound to a chunk before they are computed";

        private final StepContext context;
        private final ErrorBisection halving;
        private @Nullable Schema input;
        private @Nullable Schema output;
        private @Nullable List<BoundExpression> bound;

        ProjectTransform(StepContext context) {
            this.context = context;
            this.halving = new ErrorBisection(name(), site, onError, context, this::project, this::projectOrNull);
        }

        @Override
        public void accept(Block chunk, ChunkSink out) throws Exception {
            Block projected;
            try (chunk) {
                if (!Objects.equals(input, chunk.schema())) {
                    bind(chunk.schema());
                }
                projected = halving.compute(chunk);
            }
            out.emit(projected == null ? Blocks.empty(requireOutput()) : projected);
        }

        private Schema requireOutput() {
            return Objects.requireNonNull(output, BOUND);
        }

        /// An expression that cannot be bound fails on every row: no policy tolerates that.
        private void bind(Schema schema) {
            try {
                List<ColumnProjection.Named> columns =
                        ProjectionResolution.resolve(projection, schema).columns();
                bound = columns.stream()
                        .map(column -> BoundExpression.bind(column.expression(), schema))
                        .toList();
                List<Field> fields = new ArrayList<>();
                for (int i = 0; i < bound.size(); i++) {
                    fields.add(new Field(columns.get(i).name(), bound.get(i).type()));
                }
                output = Schema.of(fields);
                input = schema;
            } catch (MillraceException e) {
                throw UserCode.located(name() + CallSite.suffix(site), context.position(), e);
            }
        }

        private Block project(Block rows) {
            return project(rows, expression -> expression.evaluate(rows, context.allocator()));
        }

        /// Null for expressions that fail, because the values do not fit or the user's function throws.
        private Block projectOrNull(Block row) {
            return project(row, expression -> {
                try {
                    return expression.evaluate(row, context.allocator());
                } catch (MillraceException e) {
                    if (!FaultKind.of(e, false).isTolerable()) {
                        throw UserCode.located(name() + CallSite.suffix(site), context.position(), e);
                    }
                    return Columns.nulls(context.allocator(), expression.type(), row.rows());
                }
            });
        }

        private Block project(Block rows, Function<BoundExpression, Column> evaluation) {
            try (ResourceScope scope = new ResourceScope()) {
                List<Column> made = scope.list();
                for (BoundExpression expression : Objects.requireNonNull(bound, BOUND)) {
                    made.add(evaluation.apply(expression));
                }
                return scope.keep(Block.of(requireOutput(), made, rows.rows()));
            }
        }
    }
}
