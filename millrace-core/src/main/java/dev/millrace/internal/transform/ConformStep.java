package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Converts chunks to one schema: columns in its order, widened to its types, missing ones null. Used for the inputs of
/// a union.
///
/// @param verb that combines them
public record ConformStep(Schema target, VerbSite verb) implements TransformStep {
    @Override
    public String name() {
        return "conform";
    }

    @Override
    public boolean keepsRowCount() {
        return true;
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return (chunk, out) -> {
            if (chunk.schema().equals(target)) {
                out.emit(chunk);
                return;
            }
            List<Column> columns = new ArrayList<>(target.size());
            boolean made = false;
            try (chunk) {
                for (Field field : target.fields()) {
                    columns.add(column(chunk, field, context));
                }
                made = true;
            } catch (MillraceException e) {
                throw verb.named(e);
            } finally {
                if (!made) {
                    columns.forEach(Column::release);
                }
            }
            out.emit(Block.of(target, columns, chunk.rows()));
        };
    }

    private static Column column(Block chunk, Field field, StepContext context) {
        int position = chunk.schema().indexOf(field.name());
        return position < 0
                ? Columns.nulls(context.allocator(), field.type(), chunk.rows())
                : WidenKernel.to(context.allocator(), chunk.column(position), field.type());
    }
}
