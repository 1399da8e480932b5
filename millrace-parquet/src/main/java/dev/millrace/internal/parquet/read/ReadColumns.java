package dev.millrace.internal.parquet.read;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.internal.source.FileConstants;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Columns that a read gives, and how a block of a file becomes one of them: columns of the file's data, widened where
/// this file's are narrower and null where it lacks them, and constants that follow from the file's path.
///
/// @param output the columns, in order
/// @param constants which of them are made of the path
/// @param firstFile whose schema decided the types; for errors
record ReadColumns(Schema output, Set<String> constants, String firstFile) implements Serializable {
    ReadColumns {
        constants = new HashSet<>(constants);
    }

    ReadColumns project(List<String> names) {
        return new ReadColumns(
                Schema.of(names.stream()
                        .map(name -> output.field(output.require(name, "readParquet")))
                        .toList()),
                constants,
                firstFile);
    }

    /// The nodes of the file's schema that must be read.
    ///
    /// @throws MillraceException culprit DATA, for a type that has nothing in common with the first file's
    List<SchemaNode> nodes(FileSchema file, String name) {
        List<SchemaNode> nodes = new ArrayList<>();
        for (Field field : output.fields()) {
            int position = constants.contains(field.name()) ? -1 : file.schema().indexOf(field.name());
            if (position >= 0) {
                check(field, file.schema().field(position), name);
                nodes.add(file.columns().get(position));
            }
        }
        return nodes;
    }

    private void check(Field wanted, Field there, String file) {
        if (wanted.type().equals(there.type())) {
            return;
        }
        boolean widens;
        try {
            widens = Types.unify(wanted.type(), there.type()).equals(wanted.type());
        } catch (MillraceException e) {
            widens = false;
        }
        if (!widens) {
            throw MillraceException.data("readParquet: the column '" + wanted.name() + "' is " + wanted.type() + " in '"
                    + firstFile + "', whose schema counts for all files, and " + there.type() + " in '" + file
                    + "'. Read the two apart and cast one, or name the file with the wider type first.");
        }
    }

    /// The output of a block with the data columns. Takes the block over.
    Block conform(Allocator allocator, Block data, FileConstants values) {
        try (data) {
            if (constants.isEmpty()) {
                return Blocks.widen(allocator, data, output);
            }
            List<Field> stored = output.fields().stream()
                    .filter(field -> !constants.contains(field.name()))
                    .toList();
            List<Column> made = new ArrayList<>();
            try (Block wide = Blocks.widen(allocator, data, Schema.of(stored))) {
                List<Column> columns = new ArrayList<>();
                for (Field field : output.fields()) {
                    int position = wide.schema().indexOf(field.name());
                    if (position < 0) {
                        Object value = values.value(field);
                        made.add(Columns.constant(allocator, field.type(), value, data.rows()));
                    }
                    columns.add(position < 0 ? made.getLast() : wide.column(position));
                }
                return Block.sharing(output, columns, data.rows());
            } finally {
                made.forEach(Column::release);
            }
        }
    }
}
