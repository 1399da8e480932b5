package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.type.DataType;

/// A condition that computes its outcome as bits; a column is made only where somebody asks for one.
abstract class Predicate extends Node {
    Predicate() {
        super(DataType.BOOL);
    }

    @Override
    abstract Truth truth(Rows rows);

    @Override
    final Column column(Rows rows) {
        return truth(rows).toColumn(rows.allocator());
    }
}
