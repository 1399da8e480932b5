package dev.millrace.internal.source;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.memory.Allocator;
import dev.millrace.source.FileReads;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The columns of a read of files, and how a block of a file is converted to them: columns of the file's data, widened
/// if this file's are narrower and null if they are missing, and constants derived from the file's path.
///
/// @param output the columns, in order
/// @param constants which of them are derived from the path
public record FileColumns(Schema output, Set<String> constants, boolean hive) implements Serializable {
    public FileColumns {
        constants = new HashSet<>(constants);
    }

    /// The data's columns, then the path if wanted, then those of folders named `key=value`.
    ///
    /// @param partitions the last ones, see [FileListing#partitions]
    public static FileColumns all(Schema data, List<Field> partitions, FileReads options) {
        List<Field> added = new ArrayList<>(partitions);
        if (options.paths()) {
            added.addFirst(new Field(FileConstants.PATH, DataType.UTF8));
        }
        Set<String> constants = new HashSet<>();
        added.forEach(field -> constants.add(field.name()));
        List<Field> fields = new ArrayList<>(data.fields());
        fields.removeIf(field -> constants.contains(field.name()));
        fields.addAll(added);
        return new FileColumns(Schema.of(fields), constants, options.hive());
    }

    /// Those that the options of the read name, and the path if it is requested.
    public FileColumns named(FileReads options, String verb) {
        List<String> names = new ArrayList<>(options.columns());
        if (options.paths() && !names.contains(FileConstants.PATH)) {
            names.add(FileConstants.PATH);
        }
        return project(names, verb);
    }

    public FileColumns project(List<String> names, String verb) {
        return new FileColumns(
                Schema.of(names.stream()
                        .map(name -> output.field(output.require(name, verb)))
                        .toList()),
                constants,
                hive);
    }

    /// Those that must come from the data.
    public Schema stored() {
        return constants.isEmpty()
                ? output
                : Schema.of(output.fields().stream()
                        .filter(field -> !constants.contains(field.name()))
                        .toList());
    }

    /// Converts a block of a file to the output. Takes ownership of the block.
    ///
    /// @throws MillraceException culprit DATA, for a column that does not fit
    public Block conform(Allocator allocator, Block data, FileConstants values) {
        List<Column> made = new ArrayList<>();
        try (data;
                Block wide = Blocks.widen(allocator, data, stored())) {
            if (constants.isEmpty()) {
                return wide.retain();
            }
            List<Column> columns = new ArrayList<>();
            for (Field field : output.fields()) {
                int position = wide.schema().indexOf(field.name());
                if (position < 0) {
                    made.add(Columns.constant(allocator, field.type(), values.value(field), data.rows()));
                }
                columns.add(position < 0 ? made.getLast() : wide.column(position));
            }
            return Block.sharing(output, columns, data.rows());
        } finally {
            made.forEach(Column::release);
        }
    }
}
