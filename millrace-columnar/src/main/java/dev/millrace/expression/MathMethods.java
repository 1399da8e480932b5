package dev.millrace.expression;

import org.jspecify.annotations.Nullable;

/// Functions of numbers. Functions of floats return float32 for float16 and float32, float64 for every other number.
sealed interface MathMethods permits Expression {

    /// The negated number.
    default Expression negate() {
        return Call.of(MathFunction.NEGATE, (Expression) this);
    }

    /// The absolute value; that of the smallest integer is an overflow.
    default Expression abs() {
        return Call.of(MathFunction.ABS, (Expression) this);
    }

    /// -1, 0 or 1, in the type of the number.
    default Expression sign() {
        return Call.of(MathFunction.SIGN, (Expression) this);
    }

    /// The square root; NaN for negative numbers, as in `Math.sqrt`. The following functions behave as in `Math` too.
    default Expression sqrt() {
        return Call.of(MathFunction.SQRT, (Expression) this);
    }

    /// e raised to this power.
    default Expression exp() {
        return Call.of(MathFunction.EXP, (Expression) this);
    }

    /// The natural logarithm.
    default Expression log() {
        return Call.of(MathFunction.LOG, (Expression) this);
    }

    /// The logarithm to base 2.
    default Expression log2() {
        return Call.of(MathFunction.LOG2, (Expression) this);
    }

    /// The logarithm to base 10.
    default Expression log10() {
        return Call.of(MathFunction.LOG10, (Expression) this);
    }

    /// This raised to a power, as float64.
    default Expression pow(@Nullable Object exponent) {
        return Call.of(MathFunction.POW, (Expression) this, exponent);
    }

    /// Rounds down to an integer, in the same type; a decimal gets scale 0.
    default Expression floor() {
        return Call.of(MathFunction.FLOOR, (Expression) this);
    }

    /// Rounds up to an integer, in the same type; a decimal gets scale 0.
    default Expression ceil() {
        return Call.of(MathFunction.CEIL, (Expression) this);
    }

    /// Rounds to `digits` fractional digits (before the point, if negative), half away from zero.
    default Expression round(int digits) {
        return Call.of(MathFunction.ROUND, (Expression) this, digits);
    }

    /// Rounds to an integer, half away from zero.
    default Expression round() {
        return Call.of(MathFunction.ROUND, (Expression) this, 0);
    }

    /// Rounds to an integer in the type of [#floor], half to even, like SQL's casts.
    default Expression roundHalfEven() {
        return Call.of(MathFunction.ROUND_HALF_EVEN, (Expression) this);
    }

    /// The sine of an angle in radians.
    default Expression sin() {
        return Call.of(MathFunction.SIN, (Expression) this);
    }

    /// The cosine of an angle in radians.
    default Expression cos() {
        return Call.of(MathFunction.COS, (Expression) this);
    }

    /// The tangent of an angle in radians.
    default Expression tan() {
        return Call.of(MathFunction.TAN, (Expression) this);
    }

    /// The arc sine, an angle in radians.
    default Expression asin() {
        return Call.of(MathFunction.ASIN, (Expression) this);
    }

    /// The arc cosine, an angle in radians.
    default Expression acos() {
        return Call.of(MathFunction.ACOS, (Expression) this);
    }

    /// The arc tangent, an angle in radians.
    default Expression atan() {
        return Call.of(MathFunction.ATAN, (Expression) this);
    }

    /// The angle of the point (x, this).
    default Expression atan2(@Nullable Object x) {
        return Call.of(MathFunction.ATAN2, (Expression) this, x);
    }

    /// True for NaN, false for other numbers, null for null.
    default Expression isNaN() {
        return Call.of(MathFunction.IS_NAN, (Expression) this);
    }

    /// Rounds towards zero to an integer, in the type of [#floor].
    default Expression trunc() {
        return Call.of(MathFunction.TRUNC, (Expression) this);
    }

    /// The cube root.
    default Expression cbrt() {
        return Call.of(MathFunction.CBRT, (Expression) this);
    }

    /// e raised to this power, minus one; exact near zero.
    default Expression expm1() {
        return Call.of(MathFunction.EXPM1, (Expression) this);
    }

    /// The natural logarithm of this plus one; exact near zero.
    default Expression log1p() {
        return Call.of(MathFunction.LOG1P, (Expression) this);
    }

    /// The hyperbolic sine.
    default Expression sinh() {
        return Call.of(MathFunction.SINH, (Expression) this);
    }

    /// The hyperbolic cosine.
    default Expression cosh() {
        return Call.of(MathFunction.COSH, (Expression) this);
    }

    /// The hyperbolic tangent.
    default Expression tanh() {
        return Call.of(MathFunction.TANH, (Expression) this);
    }

    /// The inverse hyperbolic sine.
    default Expression asinh() {
        return Call.of(MathFunction.ASINH, (Expression) this);
    }

    /// The inverse hyperbolic cosine; NaN below 1.
    default Expression acosh() {
        return Call.of(MathFunction.ACOSH, (Expression) this);
    }

    /// The inverse hyperbolic tangent; NaN beyond -1 and 1.
    default Expression atanh() {
        return Call.of(MathFunction.ATANH, (Expression) this);
    }

    /// The cotangent of an angle in radians.
    default Expression cot() {
        return Call.of(MathFunction.COT, (Expression) this);
    }

    /// The secant of an angle in radians.
    default Expression sec() {
        return Call.of(MathFunction.SEC, (Expression) this);
    }

    /// The cosecant of an angle in radians.
    default Expression csc() {
        return Call.of(MathFunction.CSC, (Expression) this);
    }

    /// An angle in radians as degrees.
    default Expression degrees() {
        return Call.of(MathFunction.DEGREES, (Expression) this);
    }

    /// An angle in degrees as radians.
    default Expression radians() {
        return Call.of(MathFunction.RADIANS, (Expression) this);
    }

    /// True for the infinities, false for other numbers and NaN, null for null.
    default Expression isInf() {
        return Call.of(MathFunction.IS_INF, (Expression) this);
    }
}
