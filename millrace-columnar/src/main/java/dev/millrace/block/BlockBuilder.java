package dev.millrace.block;

import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Builds a block of a schema, row by row ([#append]) or column by column ([#column]); single use, one thread. [#close]
/// without [#build] releases everything, after build it does nothing.
public final class BlockBuilder implements AutoCloseable {
    private final Schema schema;
    private final ColumnBuilder[] columns;
    private long appended;

    /// An empty builder: one for each field of the schema.
    ///
    /// @param expected rows that fit without growing
    public BlockBuilder(Allocator allocator, Schema schema, long expected) {
        this.schema = schema;
        this.columns = schema.fields().stream()
                .map(field -> ColumnBuilder.of(allocator, field.type(), expected))
                .toArray(ColumnBuilder[]::new);
    }

    /// Names and types of its columns.
    public Schema schema() {
        return schema;
    }

    /// The builder of one column. A caller that appends through it must give every column the same number of values.
    public ColumnBuilder column(int position) {
        return columns[position];
    }

    /// The builder of one column.
    public ColumnBuilder column(String name) {
        return columns[schema.require(name, "column")];
    }

    /// Appends a row of Java values, one per column; see [ColumnBuilder#append(Object)].
    ///
    /// @throws MillraceException culprit USER, naming column, value and type when a value does not fit; after that only
    ///     [#truncate] and [#close] are allowed
    public void append(@Nullable Object... row) {
        if (row.length != columns.length) {
            throw MillraceException.user(
                    "A row of " + row.length + " values does not fit the columns " + schema.names() + ".");
        }
        for (int i = 0; i < row.length; i++) {
            try {
                columns[i].append(row[i]);
            } catch (MillraceException e) {
                throw new MillraceException(
                        e.culprit(), "Column '" + schema.field(i).name() + "': " + e.getMessage(), e);
            }
        }
        appended++;
    }

    /// Rolls back to the first `rows` rows; also after an append that did not fit.
    public void truncate(long rows) {
        for (ColumnBuilder column : columns) {
            column.truncate(rows);
        }
        appended = Math.min(appended, rows);
    }

    /// The number of rows so far: the length of the first column or, for a block without columns, the number of calls
    /// of [#append].
    public long rows() {
        return columns.length == 0 ? appended : columns[0].length();
    }

    /// The number of bytes of the rows so far, as in [Block#sizeBytes].
    public long sizeBytes() {
        long bytes = 0;
        for (ColumnBuilder column : columns) {
            bytes += column.sizeBytes();
        }
        return bytes;
    }

    /// The block. The builder cannot be used afterwards.
    public Block build() {
        long rows = rows();
        for (int i = 0; i < columns.length; i++) {
            if (columns[i].length() != rows) {
                throw MillraceException.user("Column '" + schema.field(i).name() + "' has " + columns[i].length()
                        + " values and column '" + schema.field(0).name() + "' has " + rows
                        + ". Give every column as many values.");
            }
        }
        Column[] built = Arrays.stream(columns).map(ColumnBuilder::build).toArray(Column[]::new);
        return Block.of(schema, Arrays.asList(built), rows);
    }

    @Override
    public void close() {
        for (ColumnBuilder column : columns) {
            column.close();
        }
    }
}
