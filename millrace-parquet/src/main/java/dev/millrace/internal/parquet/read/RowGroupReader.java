package dev.millrace.internal.parquet.read;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.Malformed;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Reads some columns of one row group, in pieces of any number of rows. One thread.
final class RowGroupReader implements AutoCloseable {
    private final FileBytes file;
    private final RowGroup group;
    private final Decompressor decompressor;
    private final Allocator allocator;
    private final Schema schema;
    private final List<FieldReader> fields = new ArrayList<>();

    RowGroupReader(
            FileBytes file, RowGroup group, List<SchemaNode> columns, Decompressor decompressor, Allocator allocator) {
        this.file = file;
        this.group = group;
        this.decompressor = decompressor;
        this.allocator = allocator;
        this.schema = Schema.of(columns.stream()
                .map(node -> new Field(node.name(), node.type()))
                .toList());
        try {
            for (SchemaNode column : columns) {
                fields.add(located(column, () -> new FieldReader(column, allocator, this::open)));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private LeafReader open(SchemaNode.Leaf leaf) {
        ColumnChunk chunk = group.columns().get(leaf.column());
        return new LeafReader(leaf, chunk, new PageReader(file, chunk, decompressor, allocator), allocator);
    }

    /// The next rows, which must be there.
    Block read(int rows) {
        List<Column> columns = new ArrayList<>(fields.size());
        try {
            for (FieldReader field : fields) {
                columns.add(located(field.node(), () -> {
                    field.read(rows);
                    return field.take();
                }));
            }
            return Block.of(schema, columns, rows);
        } catch (RuntimeException | Error e) {
            columns.forEach(Column::release);
            throw e;
        }
    }

    void skip(long rows) {
        for (FieldReader field : fields) {
            located(field.node(), () -> {
                field.skip(rows);
                return null;
            });
        }
    }

    List<FieldReader> fields() {
        return fields;
    }

    interface Work<T> {
        T run();
    }

    /// Says which column it was. What a damaged file makes decoders do beyond their memory is noticed there.
    static <T> T located(SchemaNode column, Work<T> work) {
        try {
            return work.run();
        } catch (Malformed | IndexOutOfBoundsException | ArithmeticException e) {
            String what = e instanceof Malformed ? e.getMessage() : "a value refers to what is not there (" + e + ")";
            throw new Malformed("column '" + column.name() + "': " + what, e);
        }
    }

    @Override
    public void close() {
        fields.forEach(FieldReader::close);
    }
}
