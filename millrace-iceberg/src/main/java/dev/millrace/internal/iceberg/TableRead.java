package dev.millrace.internal.iceberg;

import dev.millrace.expression.Expression;
import dev.millrace.type.Schema;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// The columns and rows that a read of a table returns, independent of the file.
///
/// @param table its name
/// @param all every column of the table
/// @param output the projected columns
/// @param filter null for all rows
/// @param limit the maximum number of rows needed from a split
record TableRead(
        String table, Schema all, Schema output, @Nullable Expression filter, long limit) implements Serializable {
    public TableRead to(Schema other) {
        return new TableRead(table, all, other, filter, limit);
    }

    public TableRead and(Expression more) {
        return new TableRead(table, all, output, filter == null ? more : filter.and(more), limit);
    }

    public TableRead limit(long rows) {
        return new TableRead(table, all, output, filter, Math.min(limit, rows));
    }
}
