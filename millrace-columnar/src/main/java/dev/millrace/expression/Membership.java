package dev.millrace.expression;

import dev.millrace.error.MillraceException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/// Whether the input is one of the values: constants of one kind, none of them null.
public record Membership(Expression input, List<Literal> values) implements Expression {
    public Membership {
        Objects.requireNonNull(input, "input");
        values = List.copyOf(values);
        if (values.stream().anyMatch(value -> value.value() == null)) {
            throw MillraceException.user(input + ".isIn(...) was given a null, which equals nothing. Add .or(" + input
                    + ".isNull()) to keep nulls.");
        }
    }

    @Override
    public List<Expression> children() {
        return List.of(input);
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new Membership(children.getFirst(), values);
    }

    @Override
    public String toString() {
        return Expression.operand(input)
                + values.stream().map(Literal::toString).collect(Collectors.joining(", ", " in (", ")"));
    }
}
