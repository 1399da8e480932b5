package dev.millrace.internal.sql;

import dev.millrace.expression.Comparison;
import dev.millrace.expression.ComparisonOperator;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import java.util.ArrayList;
import java.util.List;

/// Conditions of which one is to hold. Comparisons of one expression with constants of one type are one look-up.
final class Alternatives {
    private Alternatives() {}

    static Expression of(List<Expression> conditions) {
        List<Object> values = new ArrayList<>();
        Expression compared = null;
        Object type = null;
        for (Expression condition : conditions) {
            if (!(condition instanceof Comparison(ComparisonOperator operator, Expression left, Expression right))
                    || operator != ComparisonOperator.EQUAL
                    || !(right instanceof Literal literal)
                    || literal.value() == null
                    || compared != null
                            && !(compared.equals(left) && literal.type().equals(type))) {
                return conditions.stream().reduce(Expression::or).orElseThrow();
            }
            compared = left;
            type = literal.type();
            values.add(literal.value());
        }
        return compared.isIn(values);
    }
}
