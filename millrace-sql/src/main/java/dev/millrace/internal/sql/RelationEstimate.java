package dev.millrace.internal.sql;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/// How many rows a node of a query probably gives, and what its columns have. Columns are estimated when they are asked
/// for: most never are, and the answer may need a look at files.
final class RelationEstimate {
    private final double rows;
    private final IntFunction<ColumnEstimate> columns;
    private final Map<Integer, ColumnEstimate> known = new HashMap<>();

    RelationEstimate(double rows, IntFunction<ColumnEstimate> columns) {
        this.rows = Math.max(1, rows);
        this.columns = columns;
    }

    double rows() {
        return rows;
    }

    ColumnEstimate column(int position) {
        ColumnEstimate column = known.get(position);
        if (column == null) {
            column = columns.apply(position);
            known.put(position, column);
        }
        return column;
    }

    /// Some of the rows.
    RelationEstimate some(double part) {
        double left = Math.max(1, rows * part);
        return new RelationEstimate(left, position -> column(position).ofSome(rows, left));
    }
}
