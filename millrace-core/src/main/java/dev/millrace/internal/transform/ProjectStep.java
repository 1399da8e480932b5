package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Chooses, renames and computes columns. Resolved against the schema of the chunks as they come, once per schema.
public record ProjectStep(Projection projection) implements Step {
    @Override
    public String name() {
        return switch (projection) {
            case Projection.Select select -> "select(" + names(select.columns()) + ")";
            case Projection.Drop drop -> "drop(" + String.join(", ", drop.columns()) + ")";
            case Projection.Rename rename ->
                "rename(" + String.join(", ", rename.names().keySet()) + ")";
            case Projection.WithColumns added -> "withColumns(" + names(added.columns()) + ")";
        };
    }

    private static String names(List<Projection.Named> columns) {
        return columns.stream().map(Projection.Named::name).collect(Collectors.joining(", "));
    }

    @Override
    public boolean keepsRowCount() {
        return true;
    }

    @Override
    public Transform open(StepContext context) {
        return new Projecting(context);
    }

    private final class Projecting implements Transform {
        private final StepContext context;
        private Schema input;
        private Schema output;
        private List<BoundExpression> bound;

        Projecting(StepContext context) {
            this.context = context;
        }

        @Override
        public void accept(Block chunk, ChunkSink out) throws Exception {
            Block projected;
            try (chunk) {
                if (!chunk.schema().equals(input)) {
                    bind(chunk.schema());
                }
                projected = project(chunk);
            } catch (MillraceException e) {
                throw UserCode.located(name(), context.position(), e);
            }
            out.emit(projected);
        }

        private void bind(Schema schema) {
            List<Projection.Named> columns =
                    Projections.resolve(projection, schema).columns();
            bound = columns.stream()
                    .map(column -> BoundExpression.bind(column.expression(), schema))
                    .toList();
            List<Field> fields = new ArrayList<>();
            for (int i = 0; i < bound.size(); i++) {
                fields.add(new Field(columns.get(i).name(), bound.get(i).type()));
            }
            output = Schema.of(fields);
            input = schema;
        }

        private Block project(Block chunk) {
            List<Column> made = new ArrayList<>(bound.size());
            try {
                for (BoundExpression expression : bound) {
                    made.add(expression.evaluate(chunk, context.allocator()));
                }
                return Block.of(output, made, chunk.rows());
            } catch (RuntimeException | Error e) {
                made.forEach(Column::release);
                throw e;
            }
        }
    }
}
