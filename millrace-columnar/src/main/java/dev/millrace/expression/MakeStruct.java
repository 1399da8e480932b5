package dev.millrace.expression;

import java.util.List;

/// A struct of the inputs; the fields have their output names.
public record MakeStruct(List<Expression> fields) implements Expression {
    public MakeStruct {
        fields = List.copyOf(fields);
    }

    @Override
    public List<Expression> children() {
        return fields;
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new MakeStruct(children);
    }

    @Override
    public String toString() {
        return "struct" + Call.argumentList(fields);
    }
}
