package dev.millrace.expression;

import java.util.List;

/// A list of the inputs for each row.
public record MakeList(List<Expression> elements) implements Expression {
    public MakeList {
        elements = List.copyOf(elements);
    }

    @Override
    public List<Expression> children() {
        return elements;
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new MakeList(children);
    }

    @Override
    public String toString() {
        return "list" + Call.argumentList(elements);
    }
}
