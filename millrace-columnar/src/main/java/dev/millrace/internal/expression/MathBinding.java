package dev.millrace.internal.expression;

import dev.millrace.expression.ArithmeticOperator;
import dev.millrace.expression.Call;
import dev.millrace.expression.ComparisonOperator;
import dev.millrace.expression.MathFunction;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/// Binds [MathFunction]s to kernels.
final class MathBinding {
    private MathBinding() {}

    static ExpressionNode bind(MathFunction function, Call call, DataType result, List<ExpressionNode> arguments) {
        ExpressionNode input = arguments.getFirst();
        DataType type = TypePromotion.plain(input.type());
        return switch (function) {
            case NEGATE -> {
                ConstantNode minus = new ConstantNode(DataType.INT32, -1);
                yield ExpressionBinder.arithmetic(ArithmeticOperator.MULTIPLY, input, minus, result, call);
            }
            case ABS -> absolute(input, type, result, call);
            case SIGN -> sign(input, type, result, call);
            case FLOOR, CEIL, TRUNC, ROUND_HALF_EVEN ->
                type instanceof DataType.Int
                        ? input
                        : type instanceof DataType.Decimal
                                ? decimals(result, input, mode(function), 0)
                                : ofDouble(function, input, result, call);
            case ROUND -> round(input, type, result, call);
            case SQRT,
                    EXP,
                    LOG,
                    LOG2,
                    LOG10,
                    SIN,
                    COS,
                    TAN,
                    ASIN,
                    ACOS,
                    ATAN,
                    SINH,
                    COSH,
                    TANH,
                    ASINH,
                    ACOSH,
                    ATANH,
                    COT,
                    SEC,
                    CSC,
                    DEGREES,
                    RADIANS,
                    CBRT,
                    EXPM1,
                    LOG1P -> ofDouble(function, input, result, call);
            case POW -> ofDoubles(Math::pow, arguments, result, call);
            case ATAN2 -> ofDoubles(Math::atan2, arguments, result, call);
            case IS_NAN ->
                new MathFunctions.FloatTest(Double::isNaN, CastNode.cast(input, DataType.FLOAT64, true, call));
            case IS_INF ->
                new MathFunctions.FloatTest(Double::isInfinite, CastNode.cast(input, DataType.FLOAT64, true, call));
            case LEAST, GREATEST -> extremum(function, result, arguments, call);
        };
    }

    private static RoundingMode mode(MathFunction function) {
        return switch (function) {
            case FLOOR -> RoundingMode.FLOOR;
            case CEIL -> RoundingMode.CEILING;
            case TRUNC -> RoundingMode.DOWN;
            default -> RoundingMode.HALF_EVEN;
        };
    }

    private static ExpressionNode absolute(ExpressionNode input, DataType type, DataType result, Call call) {
        return switch (type) {
            case DataType.Int integer when !integer.signed() -> input;
            case DataType.Int _ ->
                ExpressionBinder.arithmetic(
                        ArithmeticOperator.MULTIPLY, input, sign(input, type, result, call), result, call);
            case DataType.Decimal _ ->
                new RowwiseNode(result, List.of(input), true, (values, row) -> ((BigDecimal) values[0]).abs());
            // Floats.
            default -> ofDouble(MathFunction.ABS, input, result, call);
        };
    }

    private static ExpressionNode sign(ExpressionNode input, DataType type, DataType result, Call call) {
        return switch (type) {
            case DataType.Int integer
            when integer.equals(DataType.UINT64) ->
                new RowwiseNode(result, List.of(input), true, (values, row) -> ((BigInteger) values[0]).signum());
            case DataType.Int _ -> {
                ExpressionNode wide = CastNode.cast(input, PrimitiveStorage.computed(type), true, call);
                yield CastNode.cast(new MathFunctions.SignOf(wide), result, true, call);
            }
            case DataType.Decimal decimal ->
                new RowwiseNode(
                        result,
                        List.of(input),
                        true,
                        (values, row) -> BigDecimal.valueOf(((BigDecimal) values[0]).signum()));
            // Floats.
            default -> ofDouble(MathFunction.SIGN, input, result, call);
        };
    }

    private static ExpressionNode round(ExpressionNode input, DataType type, DataType result, Call call) {
        int digits = ((Number) CallArguments.constant(call, 1)).intValue();
        return switch (type) {
            case DataType.Int _ when digits >= 0 -> input;
            case DataType.Int _ ->
                new RowwiseNode(
                        result,
                        List.of(input),
                        true,
                        (values, row) -> new BigDecimal(values[0].toString())
                                .setScale(digits, RoundingMode.HALF_UP)
                                .toBigInteger());
            case DataType.Decimal _ -> decimals(result, input, RoundingMode.HALF_UP, digits);
            // Floats.
            default -> {
                ConstantNode to = new ConstantNode(DataType.FLOAT64, (double) digits);
                yield ofDoubles(MathFunctions::round, List.of(input, to), result, call);
            }
        };
    }

    private static ExpressionNode decimals(DataType result, ExpressionNode input, RoundingMode mode, int digits) {
        int scale = ((DataType.Decimal) result).scale();
        return new RowwiseNode(result, List.of(input), true, (values, row) -> {
            BigDecimal value = (BigDecimal) values[0];
            return value.setScale(Math.min(digits, value.scale()), mode).setScale(scale);
        });
    }

    private static ExpressionNode ofDouble(MathFunction function, ExpressionNode input, DataType result, Call call) {
        ExpressionNode wide = CastNode.cast(input, DataType.FLOAT64, true, call);
        return CastNode.cast(new MathFunctions.OfDouble(function, wide), result, true, call);
    }

    private static ExpressionNode ofDoubles(
            DoubleBinaryOperator operator, List<ExpressionNode> arguments, DataType result, Call call) {
        ExpressionNode left = CastNode.cast(arguments.get(0), DataType.FLOAT64, true, call);
        ExpressionNode right = CastNode.cast(arguments.get(1), DataType.FLOAT64, true, call);
        return CastNode.cast(new MathFunctions.OfDoubles(operator, left, right), result, true, call);
    }

    /// The least or greatest of the non-null values; null if there are none.
    private static ExpressionNode extremum(
            MathFunction function, DataType result, List<ExpressionNode> arguments, Call call) {
        List<ExpressionNode> operands = new ArrayList<>();
        arguments.forEach(argument -> operands.add(CastNode.cast(argument, result, true, call)));
        return new RowwiseNode(result, operands, false, (values, row) -> {
            Object best = null;
            for (Object value : values) {
                if (value != null && (best == null || better(function, value, best))) {
                    best = value;
                }
            }
            return best;
        });
    }

    private static boolean better(MathFunction function, Object value, Object best) {
        ComparisonOperator wanted =
                function == MathFunction.LEAST ? ComparisonOperator.LESS : ComparisonOperator.GREATER;
        return DecimalComparison.holds(wanted, NestedFunctions.ORDER.compare(value, best));
    }
}
