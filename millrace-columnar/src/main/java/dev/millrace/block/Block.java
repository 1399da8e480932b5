package dev.millrace.block;

import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// Rows of a schema as columns of equal length: the unit of data between operators. A block holds one reference to
/// every buffer of its columns until [#close]; [#slice] and [#retain] create further holders of the same memory.
/// Immutable; may cross threads; each holder closes its own block once.
public final class Block implements AutoCloseable {
    private final Schema schema;
    private final Column[] columns;
    private final long rows;
    private boolean closed;

    private Block(Schema schema, Column[] columns, long rows) {
        this.schema = schema;
        this.columns = columns;
        this.rows = rows;
    }

    /// A block that takes over the reference of each column.
    public static Block of(Schema schema, List<? extends Column> columns, long rows) {
        if (schema.size() != columns.size()) {
            throw MillraceException.internal(columns.size() + " columns for a schema of " + schema.size());
        }
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).length() != rows) {
                throw MillraceException.internal("column '" + schema.field(i).name() + "' has "
                        + columns.get(i).length() + " values in a block of " + rows + " rows");
            }
        }
        return new Block(schema, columns.toArray(Column[]::new), rows);
    }

    /// A block that adds references of its own; the columns' holder keeps its own.
    public static Block sharing(Schema schema, List<? extends Column> columns, long rows) {
        Block block = of(schema, columns, rows);
        columns.forEach(Column::retain);
        return block;
    }

    /// A block without rows.
    public static Block empty(Schema schema, List<? extends Column> columns) {
        return of(schema, columns, 0);
    }

    /// Names and types of its columns.
    public Schema schema() {
        return schema;
    }

    /// The number of rows.
    public long rows() {
        return rows;
    }

    /// A column by its position; it lives as long as the block.
    public Column column(int position) {
        return columns[position];
    }

    /// A column by its name; a missing one is an error.
    public Column column(String name) {
        return columns[schema.require(name, "column")];
    }

    /// All columns, in the order of the schema.
    public List<Column> columns() {
        return List.of(columns);
    }

    /// The exact number of bytes of the rows in Arrow's layout.
    public long sizeBytes() {
        long bytes = 0;
        for (Column column : columns) {
            bytes += column.sizeBytes();
        }
        return bytes;
    }

    /// The number of bytes that this block keeps alive, each buffer counted once: at least [#sizeBytes], more for a
    /// small slice.
    public long heldBytes() {
        Set<Buffer> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        long bytes = 0;
        List<Buffer> all = new ArrayList<>();
        for (Column column : columns) {
            column.forEachBuffer(all::add);
        }
        for (Buffer buffer : all) {
            if (seen.add(buffer)) {
                bytes += buffer.heldBytes();
            }
        }
        return bytes;
    }

    /// Rows `from` to `from + count`, as a further holder of the same memory.
    public Block slice(long from, long count) {
        Column[] sliced = new Column[columns.length];
        for (int i = 0; i < columns.length; i++) {
            sliced[i] = columns[i].slice(from, count).retain();
        }
        return new Block(schema, sliced, count);
    }

    /// A further holder of the whole block.
    public Block retain() {
        for (Column column : columns) {
            column.retain();
        }
        return new Block(schema, columns, rows);
    }

    /// Moves the charge to another account, e.g. if the block outlives the run that created it.
    public void transferTo(Allocator target) {
        for (Column column : columns) {
            column.forEachBuffer(buffer -> buffer.transferTo(target));
        }
    }

    /// Releases this holder's references.
    @Override
    public void close() {
        if (closed) {
            throw MillraceException.internal("this block was closed before");
        }
        closed = true;
        for (Column column : columns) {
            column.release();
        }
    }
}
