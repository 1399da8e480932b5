package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.type.DataType;

/// A bound expression, which knows its type and how to evaluate itself. Immutable; one instance is used by one thread
/// at a time (regular expressions and decoders keep scratch memory).
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

    /// The values for the duration of a try block, with dictionaries decoded.
    HeldColumn values(EvaluationRows rows) {
        return new HeldColumn(DictionaryDecoding.decode(column(rows), rows));
    }

    /// The truth values of a condition; only for bool (and the null type).
    TruthBits truth(EvaluationRows rows) {
        try (HeldColumn held = values(rows)) {
            return TruthBits.of(held.column());
        }
    }

    /// Whether the value is the same for every row, which is so for [ConstantNode].
    final boolean isConstant() {
        return this instanceof ConstantNode;
    }
}
