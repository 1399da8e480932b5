package dev.millrace.expression;

import java.util.List;
import java.util.Objects;

/// The input under another name.
public record Alias(Expression input, String name) implements Expression {
    public Alias {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(name, "name");
    }

    @Override
    public List<Expression> children() {
        return List.of(input);
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new Alias(children.getFirst(), name);
    }

    @Override
    public String toString() {
        return Expression.operand(input) + " as " + name;
    }
}
