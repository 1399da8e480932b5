package dev.millrace.expression;

import java.util.List;
import java.util.Objects;

/// A field of a struct.
public record FieldAccess(Expression input, String field) implements Expression {
    public FieldAccess {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(field, "field");
    }

    @Override
    public List<Expression> children() {
        return List.of(input);
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new FieldAccess(children.getFirst(), field);
    }

    @Override
    public String toString() {
        return Expression.operand(input) + "." + field;
    }
}
