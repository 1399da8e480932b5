package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Cast;
import dev.millrace.expression.Comparison;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.expression.Membership;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Resolves texts that are compared with dates and times: `col("day").ge("1995-01-01")` compares dates. Only constants
/// are treated as times, and only next to a time; a text column must be cast by the user, who knows its content.
public final class TimeLiterals {
    private TimeLiterals() {}

    /// The time type of a constant text compared with values of type `other`; null if it is not a time.
    static @Nullable DataType typeBeside(Expression operand, DataType other) {
        if (!(operand instanceof Literal(String text, DataType.Utf8 _))) {
            return null;
        }
        return switch (TypePromotion.plain(other)) {
            case DataType.Date date -> date;
            case DataType.Time time -> DataType.time(TypePromotion.finer(time.unit(), unitOf(text)));
            case DataType.Timestamp time -> {
                TimeUnit unit = TypePromotion.finer(time.unit(), unitOf(text));
                yield time.zone() == null ? DataType.timestamp(unit) : DataType.timestamp(unit, time.zone());
            }
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Duration _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> null;
        };
    }

    /// The unit that represents all fractional digits.
    private static TimeUnit unitOf(String text) {
        int point = text.lastIndexOf('.');
        int digits = 0;
        while (point >= 0 && point + 1 + digits < text.length() && Character.isDigit(text.charAt(point + 1 + digits))) {
            digits++;
        }
        return digits == 0
                ? TimeUnit.SECOND
                : digits <= 3 ? TimeUnit.MILLISECOND : digits <= 6 ? TimeUnit.MICROSECOND : TimeUnit.NANOSECOND;
    }

    /// The constant as a time, if it is compared with values of a time type `other`; else unchanged.
    ///
    /// @throws MillraceException culprit USER, for a text that is not such a time
    static Expression typed(Expression operand, DataType other, Expression whole) {
        DataType type = typeBeside(operand, other);
        if (type == null) {
            return operand;
        }
        String text = (String) ((Literal) operand).value();
        try {
            // Parsed like a cast: there is one grammar of times.
            Cast cast = new Cast(operand, type, true);
            ExpressionNode time = new ExpressionBinder(Schema.empty(), cast).bind(cast);
            return new Literal(((ConstantNode) time).value(), type);
        } catch (MillraceException e) {
            throw MillraceException.user(whole + ": '" + text + "' is no " + TypePromotion.plain(other)
                    + ". Write it like " + example(type) + ".");
        }
    }

    private static String example(DataType type) {
        return switch (type) {
            case DataType.Date _ -> "'2024-02-29', or give a LocalDate";
            case DataType.Time _ -> "'13:45:30', or give a LocalTime";
            case DataType.Timestamp time
            when time.zone() != null -> "'2024-02-29 13:45:30+01:00', or give an Instant or ZonedDateTime";
            // Local timestamps.
            default -> "'2024-02-29 13:45:30', or give a LocalDateTime";
        };
    }

    /// The expression with texts replaced by the times that they denote, as sources that accept filters expect it.
    @SuppressWarnings("ReferenceEquality") // the same object: nothing was replaced
    public static Expression resolve(Expression expression, Schema schema) {
        return switch (expression) {
            case Comparison comparison -> {
                DataType left = ExpressionTypes.typeOf(comparison.left(), schema);
                DataType right = ExpressionTypes.typeOf(comparison.right(), schema);
                yield new Comparison(
                        comparison.operator(),
                        typed(comparison.left(), right, comparison),
                        typed(comparison.right(), left, comparison));
            }
            case Membership membership -> {
                DataType input = ExpressionTypes.typeOf(membership.input(), schema);
                yield new Membership(
                        membership.input(),
                        membership.values().stream()
                                .map(value -> (Literal) typed(value, input, membership))
                                .toList());
            }
            default -> {
                List<Expression> children = new ArrayList<>();
                boolean changed = false;
                for (Expression child : expression.children()) {
                    Expression resolved = resolve(child, schema);
                    changed |= resolved != child;
                    children.add(resolved);
                }
                yield changed ? expression.withChildren(children) : expression;
            }
        };
    }
}
