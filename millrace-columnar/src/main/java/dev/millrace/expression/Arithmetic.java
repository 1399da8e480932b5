package dev.millrace.expression;

import java.util.List;
import java.util.Objects;

/// An arithmetic operator on two numbers, decimals, times or durations.
public record Arithmetic(ArithmeticOperator operator, Expression left, Expression right) implements Expression {
    public Arithmetic {
        Objects.requireNonNull(operator, "operator");
        Objects.requireNonNull(left, "left");
        Objects.requireNonNull(right, "right");
    }

    @Override
    public List<Expression> children() {
        return List.of(left, right);
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return new Arithmetic(operator, children.get(0), children.get(1));
    }

    @Override
    public String toString() {
        return Expression.operand(left) + " " + operator.symbol() + " " + Expression.operand(right);
    }
}
