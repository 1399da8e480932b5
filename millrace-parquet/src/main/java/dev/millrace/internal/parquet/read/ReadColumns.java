package dev.millrace.internal.parquet.read;

import dev.millrace.block.Block;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.internal.parquet.schema.SchemaNarrowing;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.internal.source.FileColumns;
import dev.millrace.internal.source.FileConstants;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The columns that a read returns, and the parts of a file's schema that must be read for them.
///
/// @param columns data of the file, and constants from its path
/// @param known which files determined the types; for errors
record ReadColumns(FileColumns columns, KnownSchema known) implements Serializable {
    Schema output() {
        return columns.output();
    }

    /// The columns that come from the path.
    Set<String> constants() {
        return columns.constants();
    }

    /// The same columns, with these as constants.
    ReadColumns with(Set<String> constants) {
        return new ReadColumns(new FileColumns(output(), constants, false), known);
    }

    ReadColumns project(List<String> names) {
        return new ReadColumns(columns.project(names, KnownSchema.VERB), known);
    }

    /// The same columns with other types.
    ReadColumns as(Schema schema) {
        return new ReadColumns(new FileColumns(schema, constants(), columns.hive()), known);
    }

    /// The same columns; those that are dictionaries in `read`, matched by name, become dictionaries.
    ReadColumns encoded(Schema read) {
        return as(Schema.of(output().fields().stream()
                .map(field -> {
                    int position = read.indexOf(field.name());
                    return position >= 0 && read.field(position).type() instanceof DataType.Dictionary
                            ? read.field(position)
                            : field;
                })
                .toList()));
    }

    /// The nodes of the file's schema that must be read; for structs only the projected fields.
    ///
    /// @throws MillraceException culprit DATA, for a type that does not fit the column's
    List<SchemaNode> nodes(FileSchema file, String name) {
        List<SchemaNode> nodes = new ArrayList<>();
        for (Field field : output().fields()) {
            int position =
                    constants().contains(field.name()) ? -1 : file.schema().indexOf(field.name());
            if (position >= 0) {
                SchemaNode node = SchemaNarrowing.of(file.columns().get(position), field.type());
                if (!SchemaNarrowing.fits(node.type(), field.type())) {
                    throw known.clash(field, node.type(), name);
                }
                nodes.add(node);
            }
        }
        return nodes;
    }

    /// Converts a block of data columns to the output. Takes ownership of the block.
    Block conform(Allocator allocator, Block data, FileConstants values) {
        return columns.conform(allocator, data, values);
    }
}
