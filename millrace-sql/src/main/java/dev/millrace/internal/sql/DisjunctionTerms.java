package dev.millrace.internal.sql;

import dev.millrace.expression.Comparison;
import dev.millrace.expression.ComparisonOperator;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Combines the terms of an OR. Comparisons of one expression with constants of one type become one set lookup.
final class DisjunctionTerms {
    private DisjunctionTerms() {}

    /// The expression that is compared, and the type of the constants.
    private record ComparedExpression(Expression expression, DataType type) {}

    static Expression of(List<Expression> conditions) {
        Map<ComparedExpression, List<Object>> values = new LinkedHashMap<>();
        List<Expression> others = new ArrayList<>();
        for (Expression condition : conditions) {
            if (condition instanceof Comparison(ComparisonOperator operator, Expression left, Literal literal)
                    && operator == ComparisonOperator.EQUAL
                    && literal.value() != null) {
                values.computeIfAbsent(new ComparedExpression(left, literal.type()), _ -> new ArrayList<>())
                        .add(literal.value());
            } else {
                others.add(condition);
            }
        }
        List<Expression> alternatives = new ArrayList<>();
        values.forEach(
                (compared, constants) -> alternatives.add(compared.expression().isIn(constants)));
        alternatives.addAll(others);
        return alternatives.stream().reduce(Expression::or).orElseThrow();
    }
}
