package dev.millrace.expression;

import org.jspecify.annotations.Nullable;

/// Functions of numbers. Those of floats give float32 for float16 and float32, float64 for every other number.
sealed interface MathMethods permits Expression {

    /// With the other sign.
    default Expression negate() {
        return Call.of(MathFunction.NEGATE, (Expression) this);
    }

    /// The magnitude; of the smallest integer it is an overflow.
    default Expression abs() {
        return Call.of(MathFunction.ABS, (Expression) this);
    }

    /// -1, 0 or 1, in the type of the number.
    default Expression sign() {
        return Call.of(MathFunction.SIGN, (Expression) this);
    }

    /// NaN below zero, as in `Math.sqrt`; the others below behave as in `Math` too.
    default Expression sqrt() {
        return Call.of(MathFunction.SQRT, (Expression) this);
    }

    /// e to its power.
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

    /// To the power of another, as float64.
    default Expression pow(@Nullable Object exponent) {
        return Call.of(MathFunction.POW, (Expression) this, exponent);
    }

    /// The next whole number below, in the same type; of a decimal with scale 0.
    default Expression floor() {
        return Call.of(MathFunction.FLOOR, (Expression) this);
    }

    /// The next whole number above, in the same type; of a decimal with scale 0.
    default Expression ceil() {
        return Call.of(MathFunction.CEIL, (Expression) this);
    }

    /// Rounds to `digits` after the point (before it, if negative), halves away from zero.
    default Expression round(int digits) {
        return Call.of(MathFunction.ROUND, (Expression) this, digits);
    }

    /// To a whole number, halves away from zero.
    default Expression round() {
        return Call.of(MathFunction.ROUND, (Expression) this, 0);
    }

    /// To a whole number as [#floor] gives it, halves to the even one: what SQL's casts do.
    default Expression roundHalfEven() {
        return Call.of(MathFunction.ROUND_HALF_EVEN, (Expression) this);
    }

    /// Of an angle in radians.
    default Expression sin() {
        return Call.of(MathFunction.SIN, (Expression) this);
    }

    /// Of an angle in radians.
    default Expression cos() {
        return Call.of(MathFunction.COS, (Expression) this);
    }

    /// Of an angle in radians.
    default Expression tan() {
        return Call.of(MathFunction.TAN, (Expression) this);
    }

    /// An angle in radians.
    default Expression asin() {
        return Call.of(MathFunction.ASIN, (Expression) this);
    }

    /// An angle in radians.
    default Expression acos() {
        return Call.of(MathFunction.ACOS, (Expression) this);
    }

    /// An angle in radians.
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
}
