package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.ConcatenateKernel;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// One row for each of some columns: the other columns repeated, the column's name, its value.
public record UnpivotStep(List<String> columns, String nameColumn, String valueColumn) implements TransformStep {
    public UnpivotStep {
        columns = List.copyOf(columns);
    }

    @Override
    public String name() {
        return "unpivot(" + String.join(", ", columns) + ")";
    }

    /// The output columns.
    ///
    /// @throws MillraceException culprit USER, if columns are missing, have no common type, or a name is already used
    public Schema output(Schema input) {
        List<Field> fields = new ArrayList<>();
        for (Field field : input.fields()) {
            if (columns.contains(field.name())) {
                continue;
            }
            if (field.name().equals(nameColumn) || field.name().equals(valueColumn)) {
                throw MillraceException.user("unpivot: there is a column '" + field.name()
                        + "' already. Give the columns of names and values other names.");
            }
            fields.add(field);
        }
        fields.add(new Field(nameColumn, DataType.UTF8));
        fields.add(new Field(valueColumn, valueType(input)));
        return Schema.of(fields);
    }

    private DataType valueType(Schema input) {
        DataType type = null;
        for (String column : columns) {
            DataType next = input.field(input.require(column, "unpivot")).type();
            DataType before = type;
            type = type == null
                    ? next
                    : Types.common(type, next)
                            .orElseThrow(() -> MillraceException.user("unpivot: the column '" + column + "' is " + next
                                    + ", and those before it are " + before
                                    + ", which have no type in common. Cast them first."));
        }
        return Objects.requireNonNull(type, "there is at least one column");
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return (chunk, out) -> {
            try (chunk) {
                Schema schema = output(chunk.schema());
                // The rows of a chunk are multiplied by the number of columns: this many of them at a time make a chunk
                // again.
                long step = Math.max(1, chunk.rows() / columns.size());
                for (long from = 0; from == 0 || from < chunk.rows() && out.wantsMore(); from += step) {
                    try (Block piece = chunk.slice(from, Math.min(step, chunk.rows() - from))) {
                        out.emit(unpivot(context.allocator(), piece, schema));
                    }
                }
            }
        };
    }

    private Block unpivot(Allocator allocator, Block piece, Schema schema) {
        int rows = Math.toIntExact(piece.rows());
        int count = rows * columns.size();
        int[] repeated = new int[count];
        int[] names = new int[count];
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            repeated[i] = i / columns.size();
            names[i] = i % columns.size();
            values[i] = names[i] * rows + repeated[i];
        }
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> made = scope.list();
            for (int i = 0; i < schema.size() - 2; i++) {
                made.add(GatherKernel.take(
                        allocator, piece.column(schema.field(i).name()), repeated, count));
            }
            Column all = Columns.ofStrings(allocator, columns.toArray(String[]::new));
            try {
                made.add(GatherKernel.take(allocator, all, names, count));
            } finally {
                all.release();
            }
            Column joined = values(allocator, piece, schema.type(valueColumn));
            try {
                made.add(GatherKernel.take(allocator, joined, values, count));
            } finally {
                joined.release();
            }
            return scope.keep(Block.of(schema, made, count));
        }
    }

    /// The values of all columns, one column after the other.
    private Column values(Allocator allocator, Block piece, DataType type) {
        List<Column> widened = new ArrayList<>();
        try {
            for (String column : columns) {
                widened.add(WidenKernel.to(allocator, piece.column(column), type));
            }
            return ConcatenateKernel.columns(allocator, widened);
        } finally {
            widened.forEach(Column::release);
        }
    }
}
