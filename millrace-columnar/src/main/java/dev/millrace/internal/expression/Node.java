package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.type.DataType;

/// A bound expression: knows its type and how to compute itself. Immutable; one instance serves one thread at a time
/// (regular expressions and decoders keep scratch memory).
abstract class Node {
    private final DataType type;

    Node(DataType type) {
        this.type = type;
    }

    final DataType type() {
        return type;
    }

    /// The values over all rows, with one reference to each buffer.
    abstract Column column(Rows rows);

    /// The values, for the length of a try block, dictionaries decoded.
    Held values(Rows rows) {
        return new Held(Dictionaries.decode(column(rows), rows));
    }

    /// The outcome of a condition; only for bool (and the null type).
    Truth truth(Rows rows) {
        try (Held held = values(rows)) {
            return Truth.of(held.column());
        }
    }

    /// The value if it is the same for every row; [Constant] says so.
    final boolean isConstant() {
        return this instanceof Constant;
    }
}
