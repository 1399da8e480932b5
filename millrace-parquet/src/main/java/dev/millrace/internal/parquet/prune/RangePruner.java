package dev.millrace.internal.parquet.prune;

import dev.millrace.expression.ColumnReference;
import dev.millrace.expression.Comparison;
import dev.millrace.expression.ComparisonOperator;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.expression.Logical;
import dev.millrace.expression.LogicalOperator;
import dev.millrace.expression.Membership;
import dev.millrace.expression.NullTest;
import dev.millrace.internal.parquet.format.ValueStatistics;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.type.DataType;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Finds, from the ranges of columns, that no row can pass a filter. It is conservative: what it does not understand is
/// assumed to pass.
public final class RangePruner {
    private RangePruner() {}

    /// What is known about a column.
    ///
    /// @param contains false for a literal that equals none of the values; null if that is unknown
    public record Known(
            DataType type, ColumnRange range, @Nullable Predicate<Object> contains) {
        /// What is known about some values of a leaf.
        ///
        /// @param values the number of values, including nulls
        public static Known of(SchemaNode.Leaf leaf, @Nullable ValueStatistics statistics, long values) {
            ColumnRange range = ComparableBounds.range(leaf, statistics, values);
            return new Known(leaf.type(), range == null ? ColumnRange.UNKNOWN : range, null);
        }
    }

    /// @param columns null for a column about which nothing is known
    public static boolean mayPass(Expression filter, Function<String, @Nullable Known> columns) {
        return switch (filter) {
            case Logical(LogicalOperator operator, Expression left, Expression right) ->
                operator == LogicalOperator.AND
                        ? mayPass(left, columns) && mayPass(right, columns)
                        : mayPass(left, columns) || mayPass(right, columns);
            case Comparison(ComparisonOperator operator, ColumnReference column, Literal literal) ->
                compare(operator, columns.apply(column.name()), literal);
            case Comparison(ComparisonOperator operator, Literal literal, ColumnReference column) ->
                compare(operator.flipped(), columns.apply(column.name()), literal);
            case Membership member
            when member.input() instanceof ColumnReference column ->
                member.values().stream()
                        .anyMatch(value -> compare(ComparisonOperator.EQUAL, columns.apply(column.name()), value));
            case NullTest test
            when test.input() instanceof ColumnReference column -> {
                Known known = columns.apply(column.name());
                yield known == null
                        || (test.forNull()
                                ? known.range().mayHaveNulls()
                                : !known.range().allNull());
            }
            default -> true;
        };
    }

    private static boolean compare(ComparisonOperator operator, @Nullable Known known, Literal literal) {
        if (known == null) {
            return true;
        }
        ColumnRange range = known.range();
        if (operator == ComparisonOperator.EQUAL_NULL_SAFE && literal.value() == null) {
            return range.mayHaveNulls();
        }
        if (literal.value() == null || range.allNull()) {
            return operator == ComparisonOperator.EQUAL_NULL_SAFE && literal.value() == null;
        }
        Comparable<?> value = ComparableBounds.literal(literal.value(), known.type());
        if (value == null) {
            return true;
        }
        // Floats: NaN is in no range, but it passes no comparison either, except that it differs from everything.
        int low = order(range.min(), value, -1);
        int high = order(range.max(), value, 1);
        return switch (operator) {
            case EQUAL, EQUAL_NULL_SAFE ->
                low <= 0
                        && high >= 0
                        && (known.contains() == null || known.contains().test(literal.value()));
            case NOT_EQUAL -> value instanceof Double || !(low == 0 && high == 0);
            case LESS -> low < 0;
            case LESS_OR_EQUAL -> low <= 0;
            case GREATER -> high > 0;
            case GREATER_OR_EQUAL -> high >= 0;
        };
    }

    /// How a bound compares with the value; `unknown` if the bound is unknown.
    @SuppressWarnings("unchecked")
    static int order(@Nullable Comparable<?> bound, Comparable<?> value, int unknown) {
        if (bound == null || bound.getClass() != value.getClass()) {
            return unknown;
        }
        if (bound instanceof Double number && number == 0 && value instanceof Double other && other == 0) {
            return 0;
        }
        return ((Comparable<Object>) bound).compareTo(value);
    }
}
