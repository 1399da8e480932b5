package dev.millrace.expression;

import java.util.List;
import java.util.Objects;

/// Whether the input is null (or is not null, if `forNull` is false). The result is never null.
public record NullTest(Expression input, boolean forNull) implements Expression {
    public NullTest {
        Objects.requireNonNull(input, "input");
    }

    @Override
    public List<Expression> children() {
        return List.of(input);
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new NullTest(children.getFirst(), forNull);
    }

    @Override
    public String toString() {
        return Expression.operand(input) + (forNull ? " is null" : " is not null");
    }
}
