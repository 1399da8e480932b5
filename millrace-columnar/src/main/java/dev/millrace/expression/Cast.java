package dev.millrace.expression;

import dev.millrace.type.DataType;
import java.util.List;
import java.util.Objects;

/// A cast of the input to another type. If `checked`, a value that does not fit is an error; otherwise it becomes null.
public record Cast(Expression input, DataType target, boolean checked) implements Expression {
    public Cast {
        Objects.requireNonNull(input, "input");
        Objects.requireNonNull(target, "target");
    }

    @Override
    public List<Expression> children() {
        return List.of(input);
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new Cast(children.getFirst(), target, checked);
    }

    @Override
    public String toString() {
        return (checked ? "cast(" : "try_cast(") + input + " as " + target + ")";
    }
}
