package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.type.DataType;

/// A bound expression: knows its type and how to compute itself. Immutable; one instance serves one thread at a time
/// (regular expressions and decoders keep scratch memory).
abstract class ExpressionNode {
    private final DataType type;

    ExpressionNode(DataType type) {
        this.type = type;
    }

    final DataType type() {
        return type;
    }

    /// The values over all rows, with one reference to each buffer.
    abstract Column column(EvaluationRows rows);

    /// The values, for the length of a try block, dictionaries decoded.
    HeldColumn values(EvaluationRows rows) {
        return new HeldColumn(DictionaryDecoding.decode(column(rows), rows));
    }

    /// The outcome of a condition; only for bool (and the null type).
    TruthBits truth(EvaluationRows rows) {
        try (HeldColumn held = values(rows)) {
            return TruthBits.of(held.column());
        }
    }

    /// The value if it is the same for every row; [ConstantNode] says so.
    final boolean isConstant() {
        return this instanceof ConstantNode;
    }
}
