package dev.millrace.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A call of a built-in function; the families are the enums that implement [Function].
public record Call(Function function, List<Expression> arguments) implements Expression {
    public Call {
        Objects.requireNonNull(function, "function");
        arguments = List.copyOf(arguments);
    }

    @Override
    public List<Expression> children() {
        return arguments;
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new Call(function, children);
    }

    @Override
    public String toString() {
        return function == MathFunction.NEGATE
                ? "-" + Expression.operand(arguments.getFirst())
                : function.text() + argumentList(arguments);
    }

    static Call of(Function function, Expression input, @Nullable Object... more) {
        List<Expression> arguments = new ArrayList<>();
        arguments.add(input);
        for (Object argument : more) {
            arguments.add(Expression.of(argument));
        }
        return new Call(function, arguments);
    }

    static String argumentList(List<Expression> arguments) {
        return arguments.stream().map(Expression::toString).collect(Collectors.joining(", ", "(", ")"));
    }
}
