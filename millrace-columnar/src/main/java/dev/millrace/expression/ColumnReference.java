package dev.millrace.expression;

import java.util.List;
import java.util.Objects;

/// A column of the input, by name.
public record ColumnReference(String name) implements Expression {
    public ColumnReference {
        Objects.requireNonNull(name, "name");
    }

    @Override
    public List<Expression> children() {
        return List.of();
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return this;
    }

    @Override
    public String toString() {
        return name;
    }
}
