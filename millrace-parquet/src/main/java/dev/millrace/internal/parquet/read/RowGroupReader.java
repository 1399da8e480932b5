package dev.millrace.internal.parquet.read;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads some columns of one row group, in pieces of any number of rows. One thread.
final class RowGroupReader implements AutoCloseable {
    private final FileBytes file;
    private final RowGroup group;
    private final @Nullable WantedPages wanted;
    private final PageDecompressor decompressor;
    private final Allocator allocator;
    private final Schema schema;
    private final List<FieldReader> fields = new ArrayList<>();
    /// The next row.
    private long position;

    /// @param wanted the rows that will be read; null for all
    /// @param encoded the columns that may be returned as dictionaries
    RowGroupReader(
            FileBytes file,
            RowGroup group,
            List<SchemaNode> columns,
            @Nullable WantedPages wanted,
            Set<String> encoded,
            PageDecompressor decompressor,
            Allocator allocator) {
        this.file = file;
        this.group = group;
        this.wanted = wanted;
        this.decompressor = decompressor;
        this.allocator = allocator;
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(this);
            for (SchemaNode column : columns) {
                FieldReader field = located(column, () -> new FieldReader(column, allocator, this::open));
                fields.add(field);
                if (encoded.contains(column.name())
                        && column instanceof SchemaNode.Leaf leaf
                        && chunk(leaf).onlyDictionary()) {
                    inColumn(column, () -> field.encode(group.rows()));
                }
            }
            this.schema = Schema.of(fields.stream()
                    .map(field -> new Field(field.node().name(), field.type()))
                    .toList());
            scope.keep();
        }
    }

    private LeafReader open(SchemaNode.Leaf leaf) {
        ColumnChunk chunk = group.columns().get(leaf.column());
        PageReader pages = new PageReader(file, chunk, decompressor, allocator);
        WantedPages.Run run = wanted == null ? null : wanted.of(leaf.column());
        return new LeafReader(leaf, chunk, pages, run, decompressor.spare(), allocator);
    }

    /// The schema of the blocks.
    Schema schema() {
        return schema;
    }

    /// The next rows, which must exist.
    Block read(int rows) {
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            for (FieldReader field : fields) {
                columns.add(located(field.node(), () -> {
                    field.read(rows);
                    return field.take();
                }));
            }
            position += rows;
            return scope.keep(Block.of(schema, columns, rows));
        }
    }

    /// Skips to `row`, which must not be before the current position.
    void moveTo(long row) {
        long between = row - position;
        if (between > 0) {
            for (FieldReader field : fields) {
                inColumn(field.node(), () -> field.moveTo(row, between));
            }
        }
        position = row;
    }

    /// The next row of the group.
    long position() {
        return position;
    }

    /// Reports that every field was read past this many rows.
    void advanced(int rows) {
        position += rows;
    }

    ColumnChunk chunk(SchemaNode.Leaf leaf) {
        return group.columns().get(leaf.column());
    }

    List<FieldReader> fields() {
        return fields;
    }

    interface Work<T> {
        T run();
    }

    /// Adds the column to errors. Out-of-bounds accesses of decoders, caused by a damaged file, are caught here.
    static <T> T located(SchemaNode column, Work<T> work) {
        try {
            return work.run();
        } catch (MalformedParquet | IndexOutOfBoundsException | ArithmeticException e) {
            throw located(column, e);
        }
    }

    private static void inColumn(SchemaNode column, Runnable work) {
        try {
            work.run();
        } catch (MalformedParquet | IndexOutOfBoundsException | ArithmeticException e) {
            throw located(column, e);
        }
    }

    /// Adds the column to an error.
    static MalformedParquet located(SchemaNode column, RuntimeException e) {
        String what =
                e instanceof MalformedParquet ? e.getMessage() : "a value refers to what is not there (" + e + ")";
        return new MalformedParquet("column '" + column.name() + "': " + what, e);
    }

    @Override
    public void close() {
        fields.forEach(FieldReader::close);
    }
}
