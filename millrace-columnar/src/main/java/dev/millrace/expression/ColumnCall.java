package dev.millrace.expression;

import java.util.List;
import java.util.Objects;

/// A call of a function that another module defines.
public record ColumnCall(ColumnFunction function, List<Expression> arguments) implements Expression {
    public ColumnCall {
        Objects.requireNonNull(function, "function");
        arguments = List.copyOf(arguments);
    }

    @Override
    public List<Expression> children() {
        return arguments;
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new ColumnCall(function, children);
    }

    @Override
    public String toString() {
        return function.text(arguments.stream().map(Expression::toString).toList());
    }
}
