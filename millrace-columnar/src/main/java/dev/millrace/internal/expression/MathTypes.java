package dev.millrace.internal.expression;

import static java.util.Objects.requireNonNull;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.Literal;
import dev.millrace.expression.MathFunction;
import dev.millrace.type.DataType;
import dev.millrace.type.Types;
import java.util.List;

/// Result types of [MathFunction]s.
final class MathTypes {
    private MathTypes() {}

    static DataType result(MathFunction function, Call call, List<DataType> types) {
        return switch (function) {
            case NEGATE -> {
                DataType type = types.getFirst();
                boolean takes = CallArguments.isNumberOrNull(type) || type instanceof DataType.Duration;
                CallArguments.require(takes, call, 0, type, "a number or a duration");
                if (type instanceof DataType.Int integer && !integer.signed()) {
                    throw MillraceException.user(call + ": " + call.arguments().getFirst() + " is " + type
                            + ", which has no negative values. Cast it to a signed type.");
                }
                yield type instanceof DataType.Null ? DataType.INT64 : type;
            }
            case ABS, SIGN -> number(call, types);
            case FLOOR, CEIL, TRUNC, ROUND_HALF_EVEN -> whole(number(call, types));
            case ROUND -> {
                Object digits = CallArguments.constant(call, 1);
                DataType type = number(call, types);
                yield type instanceof DataType.Decimal decimal ? rounded(decimal, ((Number) digits).intValue()) : type;
            }
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
                    LOG1P -> real(number(call, types));
            case POW, ATAN2 -> {
                CallArguments.require(CallArguments.isNumberOrNull(types.get(1)), call, 1, types.get(1), "a number");
                DataType left = real(number(call, types));
                DataType right = call.arguments().get(1) instanceof Literal ? left : real(types.get(1));
                yield requireNonNull(TypePromotion.common(left, right), "floats have a common type");
            }
            case IS_NAN, IS_INF -> {
                number(call, types);
                yield DataType.BOOL;
            }
            case LEAST, GREATEST -> {
                DataType common = DataType.NULL;
                for (int i = 0; i < types.size(); i++) {
                    DataType wider = TypePromotion.common(common, types.get(i));
                    if (wider == null || !Types.hasOrder(wider)) {
                        throw MillraceException.user(
                                call + ": " + call.arguments().get(i) + " is " + types.get(i)
                                        + " and cannot be compared with " + common + ". Cast it.");
                    }
                    common = wider;
                }
                yield common;
            }
        };
    }

    private static DataType number(Call call, List<DataType> types) {
        DataType type = types.getFirst();
        CallArguments.require(CallArguments.isNumberOrNull(type), call, 0, type, "a number");
        return type instanceof DataType.Null ? DataType.FLOAT64 : type;
    }

    private static DataType real(DataType type) {
        return type instanceof DataType.Float real && real.bits() < 64 ? DataType.FLOAT32 : DataType.FLOAT64;
    }

    private static DataType whole(DataType type) {
        return type instanceof DataType.Decimal decimal ? rounded(decimal, 0) : type;
    }

    /// Rounding may carry into one more integer digit.
    private static DataType rounded(DataType.Decimal type, int digits) {
        int scale = Math.clamp(digits, 0, Math.max(0, type.scale()));
        return scale == type.scale()
                ? type
                : DataType.decimal(
                        Math.min(TypePromotion.MAX_PRECISION, type.precision() - type.scale() + scale + 1), scale);
    }
}
