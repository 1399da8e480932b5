package dev.millrace.expression;

import java.util.List;
import java.util.Objects;

/// A comparison of two values of one type; null if one of them is null, except for `<=>`.
public record Comparison(ComparisonOperator operator, Expression left, Expression right) implements Expression {
    public Comparison {
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
        return new Comparison(operator, children.get(0), children.get(1));
    }

    @Override
    public String toString() {
        return Expression.operand(left) + " " + operator.symbol() + " " + Expression.operand(right);
    }
}
