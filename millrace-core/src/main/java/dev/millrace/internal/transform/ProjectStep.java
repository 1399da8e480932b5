package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
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
            case Projection.Rename rename -> "rename(" + String.join(", ", rename.names().keySet()) + ")";
            case Projection.WithColumns added -> "withColumns(" + names(added.columns()) + ")";
        };
    }

    private static String names(List<Projection.Named> columns) {
        return columns.stream().map(Projection.Named::name).collect(Collectors.joining(", "));
    }

    @Override
    public Transform open(StepContext context) {
        return new Projecting(context);
    }

    private final class Projecting implements Transform {
        private final StepContext context;
        private Schema input;
        private List<Projection.Named> columns;
        private List<BoundExpressions> bound;

        Projecting(StepContext context) {
            this.context = context;
        }

        @Override
        public void accept(Block chunk, ChunkSink out) throws Exception {
            Block projected;
            try (chunk) {
                if (!chunk.schema().equals(input)) {
                    columns = Projections.resolve(projection, chunk.schema()).columns();
                    bound = columns.stream().map(_ -> new BoundExpressions()).toList();
                    input = chunk.schema();
                }
                projected = project(chunk);
            }
            out.emit(projected);
        }

        private Block project(Block chunk) {
            List<Column> made = new ArrayList<>(columns.size());
            List<Field> fields = new ArrayList<>(columns.size());
            try {
                for (int i = 0; i < columns.size(); i++) {
                    Projection.Named column = columns.get(i);
                    made.add(bound.get(i).evaluate(column.expression(), chunk, context.allocator()));
                    fields.add(new Field(column.name(), made.getLast().type()));
                }
                return Block.of(Schema.of(fields), made, chunk.rows());
            } catch (RuntimeException | Error e) {
                made.forEach(Column::release);
                throw e;
            }
        }
    }
}
