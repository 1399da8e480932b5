package dev.millrace.internal.iceberg;

import dev.millrace.expression.ColumnReference;
import dev.millrace.expression.Comparison;
import dev.millrace.expression.ComparisonOperator;
import dev.millrace.expression.Literal;
import dev.millrace.expression.Logical;
import dev.millrace.expression.LogicalOperator;
import dev.millrace.expression.Membership;
import dev.millrace.expression.NullTest;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// Translates a filter to the library's expressions, to prune files by partitions and statistics. The result may match
/// more rows than the filter, never fewer: what has no exact counterpart becomes true.
final class FilterTranslation {
    private final Schema schema;

    FilterTranslation(Schema schema) {
        this.schema = schema;
    }

    Expression translate(dev.millrace.expression.@Nullable Expression filter) {
        return switch (filter) {
            case null -> Expressions.alwaysTrue();
            case Logical(LogicalOperator operator, var left, var right) ->
                operator == LogicalOperator.AND
                        ? Expressions.and(translate(left), translate(right))
                        : Expressions.or(translate(left), translate(right));
            case Comparison(ComparisonOperator operator, ColumnReference column, Literal literal) ->
                compare(operator, column.name(), literal);
            case Comparison(ComparisonOperator operator, Literal literal, ColumnReference column) ->
                compare(operator.flipped(), column.name(), literal);
            case Membership member
            when member.input() instanceof ColumnReference column -> in(column.name(), member.values());
            case NullTest test
            when test.input() instanceof ColumnReference column && field(column.name()) != null ->
                test.forNull() ? Expressions.isNull(column.name()) : Expressions.notNull(column.name());
            default -> Expressions.alwaysTrue();
        };
    }

    /// Null for a column that is nested, or whose name the library would parse as a path.
    private Types.@Nullable NestedField field(String name) {
        return name.indexOf('.') >= 0 ? null : schema.asStruct().field(name);
    }

    private @Nullable Object value(String column, Literal literal) {
        Types.NestedField field = field(column);
        Object value = field == null || literal.value() == null || !field.type().isPrimitiveType()
                ? null
                : IcebergValues.toIceberg(field.type(), literal.value());
        // Statistics distinguish -0.0 and 0.0, and do not include NaN.
        boolean special = value instanceof Number number
                && (value instanceof Double || value instanceof Float)
                && (number.doubleValue() == 0 || Double.isNaN(number.doubleValue()));
        return special ? null : value;
    }

    private Expression compare(ComparisonOperator operator, String column, Literal literal) {
        Object value = value(column, literal);
        if (value == null) {
            return Expressions.alwaysTrue();
        }
        return switch (operator) {
            case EQUAL, EQUAL_NULL_SAFE -> Expressions.equal(column, value);
            case LESS -> Expressions.lessThan(column, value);
            case LESS_OR_EQUAL -> Expressions.lessThanOrEqual(column, value);
            case GREATER -> Expressions.greaterThan(column, value);
            case GREATER_OR_EQUAL -> Expressions.greaterThanOrEqual(column, value);
            case NOT_EQUAL -> Expressions.alwaysTrue();
        };
    }

    private Expression in(String column, List<Literal> literals) {
        List<Object> values = new ArrayList<>();
        for (Literal literal : literals) {
            Object value = value(column, literal);
            if (value == null) {
                return Expressions.alwaysTrue();
            }
            values.add(value);
        }
        return Expressions.in(column, values.toArray());
    }
}
