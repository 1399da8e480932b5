package dev.millrace.internal.expression;

import dev.millrace.expression.Alias;
import dev.millrace.expression.Arithmetic;
import dev.millrace.expression.ArithmeticOperator;
import dev.millrace.expression.Call;
import dev.millrace.expression.Cast;
import dev.millrace.expression.Coalesce;
import dev.millrace.expression.ColumnReference;
import dev.millrace.expression.Comparison;
import dev.millrace.expression.ComparisonOperator;
import dev.millrace.expression.Conditional;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Literal;
import dev.millrace.expression.Logical;
import dev.millrace.expression.LogicalOperator;
import dev.millrace.expression.MathFunction;
import dev.millrace.expression.Membership;
import dev.millrace.expression.NestedFunction;
import dev.millrace.expression.Not;
import dev.millrace.expression.NullTest;
import dev.millrace.expression.TextFunction;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What an expression means for one row, written down as plainly as possible and sharing no kernel with the engine:
/// integers are BigIntegers, and ArithmeticException stands for every error.
final class Naive {
    private final Schema schema;
    private final Map<String, Object> row;

    Naive(Schema schema, Map<String, Object> row) {
        this.schema = schema;
        this.row = row;
    }

    Object eval(Expression e) {
        return isAlwaysNull(e) ? null : compute(e);
    }

    /// A constant null among strict operands settles the result when the expression is bound; the others are not
    /// computed.
    private boolean isAlwaysNull(Expression e) {
        boolean strict = switch (e) {
            case Arithmetic _, Call _, Membership _ -> true;
            case Comparison c -> c.operator() != ComparisonOperator.EQUAL_NULL_SAFE;
            default -> false;
        };
        return strict
                && e.children().stream()
                        .anyMatch(child -> child.columns().isEmpty() && eval(child) == null || isAlwaysNull(child));
    }

    private Object compute(Expression e) {
        return switch (e) {
            case ColumnReference column -> row.get(column.name());
            case Literal literal -> literal.value();
            case Alias alias -> eval(alias.input());
            case Arithmetic a -> arithmetic(a);
            case Comparison c -> comparison(c);
            case Logical logical -> logical(logical);
            case Not not -> eval(not.input()) instanceof Boolean b ? !b : null;
            case NullTest test -> (eval(test.input()) == null) == test.forNull();
            case Membership membership -> membership(membership);
            case Conditional conditional -> {
                for (Conditional.Branch branch : conditional.branches()) {
                    if (Boolean.TRUE.equals(eval(branch.condition()))) {
                        yield convert(eval(branch.value()), type(e));
                    }
                }
                yield convert(eval(conditional.otherwise()), type(e));
            }
            case Coalesce coalesce -> {
                for (Expression input : coalesce.inputs()) {
                    Object value = eval(input);
                    if (value != null) {
                        yield convert(value, type(e));
                    }
                }
                yield null;
            }
            case Cast cast -> {
                Object value = eval(cast.input());
                try {
                    yield convert(value, cast.target());
                } catch (ArithmeticException misfit) {
                    if (cast.checked()) {
                        throw misfit;
                    }
                    yield null;
                }
            }
            case Call call -> call(call);
            default -> throw new UnsupportedOperationException(e.toString());
        };
    }

    private DataType type(Expression e) {
        return ExpressionTypes.typeOf(e, schema);
    }

    private Object logical(Logical logical) {
        Boolean settles = logical.operator() == LogicalOperator.OR;
        Object left = eval(logical.left());
        if (settles.equals(left)) {
            return settles;
        }
        Object right = eval(logical.right());
        return settles.equals(right) ? settles : left == null || right == null ? null : (Object) !settles;
    }

    private Object arithmetic(Arithmetic a) {
        DataType type = type(a);
        // An operand that does not fit the type in which both meet is an error, even beside a null.
        Object left = convert(eval(a.left()), type);
        Object right = convert(eval(a.right()), type);
        if (left == null || right == null) {
            return null;
        }
        if (type instanceof DataType.Float real) {
            boolean isRatio = a.operator() == ArithmeticOperator.DIVIDE
                    && type(a.left()) instanceof DataType.Int
                    && type(a.right()) instanceof DataType.Int;
            if (isRatio && ((Number) right).doubleValue() == 0) {
                throw new ArithmeticException("an integer is divided by zero");
            }
            if (real.bits() == 64) {
                return floats(a, (Double) left, (Double) right);
            }
            float x = ((Number) left).floatValue();
            float y = ((Number) right).floatValue();
            // A quotient is rounded to a float before it is truncated, as the operands' own division does.
            double result = a.operator() == ArithmeticOperator.INT_DIVIDE ? truncated(x / y) : floats(a, x, y);
            return convert((float) result, type);
        }
        BigInteger x = whole(left);
        BigInteger y = whole(right);
        return convert(
                switch (a.operator()) {
                    case ADD -> x.add(y);
                    case SUBTRACT -> x.subtract(y);
                    case MULTIPLY -> x.multiply(y);
                    case INT_DIVIDE -> x.divide(y);
                    case MODULO -> x.remainder(y);
                    case DIVIDE -> throw new IllegalStateException();
                },
                type);
    }

    /// For floats the operands are floats: a double holds their exact sum, difference and product closely enough that
    /// rounding it once more gives the float's own result (and so for quotients).
    private static double floats(Arithmetic a, double x, double y) {
        return switch (a.operator()) {
            case ADD -> x + y;
            case SUBTRACT -> x - y;
            case MULTIPLY -> x * y;
            case DIVIDE -> x / y;
            case INT_DIVIDE -> truncated(x / y);
            case MODULO -> x % y;
        };
    }

    private static double truncated(double quotient) {
        return quotient < 0 ? Math.ceil(quotient) : Math.floor(quotient);
    }

    private Object comparison(Comparison c) {
        Object left = eval(c.left());
        Object right = eval(c.right());
        if (c.operator() == ComparisonOperator.EQUAL_NULL_SAFE && (left == null || right == null)) {
            return left == null && right == null;
        }
        if (left == null || right == null) {
            return null;
        }
        DataType common = ExpressionTypes.comparedAs(c.left(), type(c.left()), c.right(), type(c.right()));
        if (left instanceof String || left instanceof Boolean) {
            int order = left instanceof String text
                    ? Arrays.compareUnsigned(bytes(text), bytes((String) right))
                    : Boolean.compare((Boolean) left, (Boolean) right);
            return DecimalComparison.holds(c.operator(), order);
        }
        if (common instanceof DataType.Float) {
            double x = ((Number) convert(left, common)).doubleValue();
            double y = ((Number) convert(right, common)).doubleValue();
            return switch (c.operator()) {
                case EQUAL, EQUAL_NULL_SAFE -> x == y;
                case NOT_EQUAL -> x != y;
                case LESS -> x < y;
                case LESS_OR_EQUAL -> x <= y;
                case GREATER -> x > y;
                case GREATER_OR_EQUAL -> x >= y;
            };
        }
        return DecimalComparison.holds(c.operator(), whole(left).compareTo(whole(right)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Object membership(Membership m) {
        Object value = eval(m.input());
        return value == null
                ? null
                : (Object) m.values().stream()
                        .anyMatch(v -> value instanceof String
                                ? value.equals(v.value())
                                : new BigDecimal(value.toString())
                                                .compareTo(
                                                        new BigDecimal(v.value().toString()))
                                        == 0);
    }

    private Object call(Call call) {
        List<Object> values = call.arguments().stream().map(this::eval).toList();
        if (values.stream().anyMatch(v -> v == null)) {
            return null;
        }
        Object first = values.getFirst();
        return switch (call.function()) {
            case MathFunction f when f == MathFunction.ABS && first instanceof Double x -> Math.abs(x);
            case MathFunction f when f == MathFunction.ABS && first instanceof Float x -> Math.abs(x);
            case MathFunction f
            when f == MathFunction.ABS -> convert(whole(first).abs(), type(call));
            case MathFunction f when f == MathFunction.NEGATE && first instanceof Double x -> -x;
            case MathFunction f when f == MathFunction.NEGATE && first instanceof Float x -> -x;
            case MathFunction f
            when f == MathFunction.NEGATE -> convert(whole(first).negate(), type(call));
            case TextFunction f when f == TextFunction.LOWER -> ((String) first).toLowerCase(Locale.ROOT);
            case TextFunction f when f == TextFunction.UPPER -> ((String) first).toUpperCase(Locale.ROOT);
            case TextFunction f
            when f == TextFunction.LENGTH -> (int) ((String) first).codePoints().count();
            case TextFunction f when f == TextFunction.TRIM -> ((String) first).trim();
            case TextFunction f
            when f == TextFunction.CONCAT ->
                values.stream().map(String::valueOf).reduce("", String::concat);
            case TextFunction f
            when f == TextFunction.STARTS_WITH -> ((String) first).startsWith((String) values.get(1));
            case TextFunction f when f == TextFunction.ENDS_WITH -> ((String) first).endsWith((String) values.get(1));
            case NestedFunction f
            when f == NestedFunction.CONTAINS -> ((String) first).contains((String) values.get(1));
            case TextFunction f
            when f == TextFunction.SUBSTRING -> {
                int[] points = ((String) first).codePoints().toArray();
                int from = Math.clamp(((Number) values.get(1)).longValue(), 0, points.length);
                int to = Math.clamp(((Number) values.get(2)).longValue(), from, points.length);
                yield new String(points, from, to - from);
            }
            default -> throw new UnsupportedOperationException(call.toString());
        };
    }

    private static BigInteger whole(Object value) {
        return new BigDecimal(value.toString()).toBigIntegerExact();
    }

    /// A value as a numeric type holds it, in the class that columns give.
    private static Object convert(Object value, DataType type) {
        if (value == null || value instanceof String || value instanceof Boolean) {
            return value;
        }
        if (type instanceof DataType.Float real) {
            return switch (real.bits()) {
                case 64 -> ((Number) value).doubleValue();
                case 32 -> ((Number) value).floatValue();
                default -> Float.float16ToFloat(Float.floatToFloat16(((Number) value).floatValue()));
            };
        }
        DataType.Int integer = (DataType.Int) type;
        if (value instanceof Double || value instanceof Float) {
            double real = ((Number) value).doubleValue();
            if (Double.isNaN(real) || Double.isInfinite(real)) {
                throw new ArithmeticException("no integer");
            }
        }
        BigInteger whole = value instanceof Double || value instanceof Float
                ? new BigDecimal(((Number) value).doubleValue()).toBigIntegerExact()
                : whole(value);
        BigInteger low =
                integer.signed() ? BigInteger.TWO.pow(integer.bits() - 1).negate() : BigInteger.ZERO;
        BigInteger high = BigInteger.TWO.pow(integer.signed() ? integer.bits() - 1 : integer.bits());
        if (whole.compareTo(low) < 0 || whole.compareTo(high) >= 0) {
            throw new ArithmeticException(whole + " does not fit " + type);
        }
        if (integer.signed()) {
            return switch (integer.bits()) {
                case 8 -> whole.byteValue();
                case 16 -> whole.shortValue();
                case 32 -> whole.intValue();
                default -> whole.longValue();
            };
        }
        return switch (integer.bits()) {
            case 8 -> whole.shortValue();
            case 16 -> whole.intValue();
            case 32 -> whole.longValue();
            default -> whole;
        };
    }
}
