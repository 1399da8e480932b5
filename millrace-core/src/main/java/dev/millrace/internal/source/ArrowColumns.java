package dev.millrace.internal.source;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/// Which columns a read of Arrow data gives, and how a block of the data becomes one of the read.
///
/// @param output the columns wanted, in order; one named [#PATH] is made here where the data is a file read with paths
/// @param withPath whether it is
record ArrowColumns(Schema output, boolean withPath) implements Serializable {
    static final String PATH = "path";

    static ArrowColumns all(Schema data, boolean withPath) {
        if (!withPath) {
            return new ArrowColumns(data, false);
        }
        List<Field> fields = new ArrayList<>(data.fields());
        fields.add(new Field(PATH, DataType.UTF8));
        return new ArrowColumns(Schema.of(fields), true);
    }

    ArrowColumns project(List<String> names) {
        return new ArrowColumns(
                Schema.of(names.stream()
                        .map(name -> output.field(output.indexOf(name)))
                        .toList()),
                withPath);
    }

    /// The wanted columns that the data has.
    List<String> wantedOf(Schema data) {
        return output.names().stream()
                .filter(data::contains)
                .filter(name -> !isPath(name))
                .toList();
    }

    private boolean isPath(String name) {
        return withPath && name.equals(PATH);
    }

    /// The block's rows with the wanted columns: widened where this file's are narrower, null where it lacks one. Takes
    /// the block over.
    Block conform(Allocator allocator, Block block, String path) {
        Schema data = Schema.of(
                output.fields().stream().filter(field -> !isPath(field.name())).toList());
        try (block;
                Block wanted = Blocks.widen(allocator, block, data)) {
            if (data.size() == output.size()) {
                return wanted.retain();
            }
            Column paths = Columns.constant(allocator, DataType.UTF8, path, wanted.rows());
            try {
                List<Column> columns = new ArrayList<>(wanted.columns());
                columns.add(output.indexOf(PATH), paths);
                return Block.sharing(output, columns, wanted.rows());
            } finally {
                paths.release();
            }
        }
    }
}
