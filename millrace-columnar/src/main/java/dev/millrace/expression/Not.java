package dev.millrace.expression;

import java.util.List;
import java.util.Objects;

/// Logical negation; null for null.
public record Not(Expression input) implements Expression {
    public Not {
        Objects.requireNonNull(input, "input");
    }

    @Override
    public List<Expression> children() {
        return List.of(input);
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new Not(children.getFirst());
    }

    @Override
    public String toString() {
        return "not " + Expression.operand(input);
    }
}
