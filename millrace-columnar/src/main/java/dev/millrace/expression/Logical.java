package dev.millrace.expression;

import java.util.List;
import java.util.Objects;

/// Three-valued `and` and `or`.
public record Logical(LogicalOperator operator, Expression left, Expression right) implements Expression {
    public Logical {
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
        return new Logical(operator, children.get(0), children.get(1));
    }

    @Override
    public String toString() {
        return Expression.operand(left) + " " + operator.symbol() + " " + Expression.operand(right);
    }
}
