package dev.millrace.expression;

import dev.millrace.type.DataType;
import java.util.List;
import java.util.Objects;

/// A call of a user function. Assumed to be deterministic unless [#nondeterministic] is called.
public record UserCall(
        String name, DataType result, UserFunction function, List<Expression> arguments, boolean deterministic)
        implements Expression {
    public UserCall {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(result, "result");
        Objects.requireNonNull(function, "function");
        arguments = List.copyOf(arguments);
    }

    /// The same call, which no optimizer rule may move, repeat or drop.
    public UserCall nondeterministic() {
        return new UserCall(name, result, function, arguments, false);
    }

    @Override
    public List<Expression> children() {
        return arguments;
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new UserCall(name, result, function, children, deterministic);
    }

    @Override
    public String toString() {
        return name + Call.argumentList(arguments);
    }
}
