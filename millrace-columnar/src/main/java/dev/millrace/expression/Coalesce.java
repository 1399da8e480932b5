package dev.millrace.expression;

import dev.millrace.error.MillraceException;
import java.util.List;

/// The first input that is not null.
public record Coalesce(List<Expression> inputs) implements Expression {
    public Coalesce {
        inputs = List.copyOf(inputs);
        if (inputs.isEmpty()) {
            throw MillraceException.user("coalesce needs at least one expression.");
        }
    }

    @Override
    public List<Expression> children() {
        return inputs;
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new Coalesce(children);
    }

    @Override
    public String toString() {
        return "coalesce" + Call.argumentList(inputs);
    }
}
