package dev.millrace.expression;

import dev.millrace.internal.text.QueryToken;
import dev.millrace.type.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The grammar of SQL expressions, by increasing precedence: `OR`, `AND`, `NOT`, `IS`, comparisons, `LIKE` with `IN`
/// and `BETWEEN`, sums, products, signs, casts and fields ([ValueParser]).
final class ExpressionParser {
    private static final String VALUE = "a value";

    private final TokenCursor cursor;
    private final ValueParser values;

    private ExpressionParser(String text, @Nullable Schema schema) {
        cursor = new TokenCursor(text);
        values = new ValueParser(cursor, this, schema);
    }

    /// @param schema the columns that may be named; null: any name is accepted
    static Expression parse(String text, @Nullable Schema schema) {
        ExpressionParser parser = new ExpressionParser(text, schema);
        Expression expression = parser.whole();
        if (parser.cursor.peek() != null) {
            throw parser.cursor.unexpected("an operator or the end");
        }
        return expression;
    }

    /// An expression with all operators.
    Expression whole() {
        Expression left = conjunction();
        while (cursor.accepts("OR")) {
            left = left.or(conjunction());
        }
        return left;
    }

    private Expression conjunction() {
        Expression left = negation();
        while (cursor.accepts("AND")) {
            left = left.and(negation());
        }
        return left;
    }

    private Expression negation() {
        return cursor.accepts("NOT") ? negation().not() : tested();
    }

    private Expression tested() {
        Expression left = compared();
        while (cursor.accepts("IS")) {
            boolean not = cursor.accepts("NOT");
            Expression test = test(left);
            left = not ? negated(test) : test;
        }
        return left;
    }

    private Expression test(Expression input) {
        if (cursor.accepts("NULL")) {
            return input.isNull();
        }
        if (cursor.accepts("TRUE")) {
            return Expressions.coalesce(input, false);
        }
        if (cursor.accepts("FALSE")) {
            return Expressions.coalesce(input.not(), false);
        }
        if (cursor.accepts("DISTINCT", "FROM")) {
            return input.eqNullSafe(compared()).not();
        }
        throw cursor.unexpected("NULL, TRUE, FALSE or DISTINCT FROM");
    }

    private static Expression negated(Expression test) {
        return switch (test) {
            case NullTest(Expression input, boolean _) -> input.isNotNull();
            case Not(Expression equal) -> equal;
            default -> test.not();
        };
    }

    private Expression compared() {
        Expression left = matched();
        while (true) {
            if (cursor.accepts("=") || cursor.accepts("==")) {
                left = left.eq(matched());
            } else if (cursor.accepts("<>") || cursor.accepts("!=")) {
                left = left.ne(matched());
            } else if (cursor.accepts("<=")) {
                left = left.le(matched());
            } else if (cursor.accepts(">=")) {
                left = left.ge(matched());
            } else if (cursor.accepts("<")) {
                left = left.lt(matched());
            } else if (cursor.accepts(">")) {
                left = left.gt(matched());
            } else {
                return left;
            }
        }
    }

    private Expression matched() {
        Expression left = sum();
        while (true) {
            QueryToken next = cursor.peek();
            boolean not = next != null && next.is("NOT");
            QueryToken word = not ? cursor.peek(1) : next;
            if (word == null || !(word.is("LIKE") || word.is("ILIKE") || word.is("IN") || word.is("BETWEEN"))) {
                return left;
            }
            if (not) {
                cursor.expect("NOT");
            }
            Expression match = match(left, cursor.take("LIKE"));
            left = not ? match.not() : match;
        }
    }

    private Expression match(Expression input, QueryToken word) {
        if (word.is("BETWEEN")) {
            Expression low = sum();
            cursor.expect("AND");
            return input.between(low, sum());
        }
        if (word.is("IN")) {
            return oneOf(input);
        }
        List<Expression> arguments = new ArrayList<>(List.of(input, sum()));
        if (cursor.accepts("ESCAPE")) {
            arguments.add(sum());
        }
        return values.call(word, arguments);
    }

    private Expression oneOf(Expression input) {
        cursor.expect("(");
        if (cursor.sees("SELECT")) {
            throw cursor.error(
                    cursor.peek(), "a query cannot stand in an expression. Use session.sql(...), or a join.");
        }
        List<Expression> elements = values.list(")");
        if (elements.isEmpty()) {
            throw cursor.unexpected(VALUE);
        }
        cursor.expect(")");
        if (elements.size() > 1 && elements.stream().allMatch(ExpressionParser::isPoint)) {
            return new Membership(
                    input, elements.stream().map(element -> (Literal) element).toList());
        }
        // With a null among the values, the result is null if the input equals none of the others.
        return elements.stream().map(input::eq).reduce(Expression::or).orElseThrow();
    }

    /// Whether it is a constant of a type whose equality does not depend on rounding.
    private static boolean isPoint(Expression element) {
        return element instanceof Literal(Object value, var _)
                && (value instanceof String
                        || value instanceof Integer
                        || value instanceof Long
                        || value instanceof LocalDate);
    }

    /// Sums, and times plus or minus intervals.
    Expression sum() {
        Expression left;
        if (ParsedInterval.sees(cursor)) {
            ParsedInterval interval = ParsedInterval.take(cursor);
            cursor.expect("+");
            left = interval.addTo(product(), 1);
        } else {
            left = product();
        }
        while (true) {
            if (cursor.accepts("+")) {
                left = ParsedInterval.sees(cursor) ? ParsedInterval.take(cursor).addTo(left, 1) : left.plus(product());
            } else if (cursor.accepts("-")) {
                left = ParsedInterval.sees(cursor)
                        ? ParsedInterval.take(cursor).addTo(left, -1)
                        : left.minus(product());
            } else {
                return left;
            }
        }
    }

    private Expression product() {
        Expression left = signed();
        while (true) {
            if (cursor.accepts("*")) {
                left = left.times(signed());
            } else if (cursor.accepts("/")) {
                // In floats, so that division by zero is infinite.
                left = NamedNumbers.real(left).dividedBy(NamedNumbers.real(signed()));
            } else if (cursor.accepts("%")) {
                left = left.mod(signed());
            } else if (cursor.accepts("||")) {
                left = left.concat(signed());
            } else {
                return left;
            }
        }
    }

    private Expression signed() {
        if (cursor.accepts("+")) {
            return signed();
        }
        return cursor.accepts("-") ? negative(signed()) : values.value();
    }

    /// Negates a constant to a constant, so that sources can use it.
    private static Expression negative(Expression value) {
        return value instanceof Literal literal && literal.value() instanceof Number number
                ? Literal.of(negative(number))
                : value.negate();
    }

    private static Number negative(Number number) {
        return switch (number) {
            case Integer whole when whole != Integer.MIN_VALUE -> -whole;
            case Double real -> -real;
            default -> {
                BigDecimal negative = new BigDecimal(number.toString()).negate();
                yield negative.scale() == 0 ? ValueParser.narrow(negative.toBigIntegerExact()) : negative;
            }
        };
    }
}
