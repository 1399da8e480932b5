package dev.millrace.internal.sql;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/// The estimated number of rows of a node and statistics of its columns. Column estimates are lazy: most are never
/// needed, and some have to read files.
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

    /// A sample of the rows.
    RelationEstimate some(double part) {
        double left = Math.max(1, rows * part);
        return new RelationEstimate(left, position -> column(position).ofSome(rows, left));
    }
}
