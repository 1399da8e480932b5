package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.expression.MathFunction;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;

/// Functions of doubles, and the sign of integers. The cheap ones have vectorised loops; for the others the cost of a
/// call per value is negligible.
final class MathFunctions {
    private MathFunctions() {}

    /// A function of one float64.
    static final class OfDouble extends ExpressionNode {
        private final MathFunction function;
        private final ExpressionNode input;

        OfDouble(MathFunction function, ExpressionNode input) {
            super(DataType.FLOAT64);
            this.function = function;
            this.input = input;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                apply(((FixedWidthColumn) held.column()).values(), output.values(), rows.count());
                return output.build(BitWords.valid(held.column()));
            }
        }

        private void apply(MemorySegment in, MemorySegment out, long rows) {
            switch (function) {
                case ABS -> {
                    for (long i = 0; i < rows; i++) {
                        out.setAtIndex(JAVA_DOUBLE, i, Math.abs(in.getAtIndex(JAVA_DOUBLE, i)));
                    }
                }
                case SQRT -> {
                    for (long i = 0; i < rows; i++) {
                        out.setAtIndex(JAVA_DOUBLE, i, Math.sqrt(in.getAtIndex(JAVA_DOUBLE, i)));
                    }
                }
                case FLOOR -> {
                    for (long i = 0; i < rows; i++) {
                        out.setAtIndex(JAVA_DOUBLE, i, Math.floor(in.getAtIndex(JAVA_DOUBLE, i)));
                    }
                }
                case CEIL -> {
                    for (long i = 0; i < rows; i++) {
                        out.setAtIndex(JAVA_DOUBLE, i, Math.ceil(in.getAtIndex(JAVA_DOUBLE, i)));
                    }
                }
                default -> {
                    DoubleUnaryOperator operator = operator();
                    for (long i = 0; i < rows; i++) {
                        out.setAtIndex(JAVA_DOUBLE, i, operator.applyAsDouble(in.getAtIndex(JAVA_DOUBLE, i)));
                    }
                }
            }
        }

        private DoubleUnaryOperator operator() {
            return switch (function) {
                case ABS -> Math::abs;
                case SQRT -> Math::sqrt;
                case FLOOR -> Math::floor;
                case CEIL -> Math::ceil;
                case ROUND_HALF_EVEN -> Math::rint;
                case SIGN -> Math::signum;
                case EXP -> Math::exp;
                case LOG -> Math::log;
                case LOG2 -> MathFunctions::log2;
                case LOG10 -> Math::log10;
                case SIN -> Math::sin;
                case COS -> Math::cos;
                case TAN -> Math::tan;
                case ASIN -> Math::asin;
                case ACOS -> Math::acos;
                case ATAN -> Math::atan;
                case TRUNC -> x -> x < 0 ? Math.ceil(x) : Math.floor(x);
                case SINH -> Math::sinh;
                case COSH -> Math::cosh;
                case TANH -> Math::tanh;
                case ASINH -> MathFunctions::asinh;
                case ACOSH -> x -> x < 1 ? Double.NaN : MathFunctions.acosh(x);
                case ATANH -> x -> 0.5 * (Math.log1p(x) - Math.log1p(-x));
                case COT -> x -> 1 / Math.tan(x);
                case SEC -> x -> 1 / Math.cos(x);
                case CSC -> x -> 1 / Math.sin(x);
                case DEGREES -> Math::toDegrees;
                case RADIANS -> Math::toRadians;
                case CBRT -> Math::cbrt;
                case EXPM1 -> Math::expm1;
                case LOG1P -> Math::log1p;
                case NEGATE, POW, ROUND, ATAN2, LEAST, GREATEST, IS_NAN, IS_INF ->
                    throw new IllegalArgumentException(function + " is no function of one double");
            };
        }
    }

    private static double asinh(double x) {
        double a = Math.abs(x);
        // Beyond this, one more or less under the root makes no difference.
        double result = a > 0x1p28 ? Math.log(a) + Math.log(2) : Math.log1p(a + a * a / (1 + Math.sqrt(a * a + 1)));
        return Math.copySign(result, x);
    }

    private static double acosh(double x) {
        double above = x - 1;
        return x > 0x1p28 ? Math.log(x) + Math.log(2) : Math.log1p(above + Math.sqrt(above * (x + 1)));
    }

    /// Exact for powers of two, unlike a quotient of logarithms.
    private static double log2(double x) {
        int exponent = Math.getExponent(x);
        boolean power = x > 0 && exponent <= Double.MAX_EXPONENT && Math.scalb(1.0, exponent) == x;
        return power ? exponent : Math.log(x) / Math.log(2);
    }

    /// A function of two float64s.
    static final class OfDoubles extends ExpressionNode {
        private final DoubleBinaryOperator operator;
        private final ExpressionNode left;
        private final ExpressionNode right;

        OfDoubles(DoubleBinaryOperator operator, ExpressionNode left, ExpressionNode right) {
            super(DataType.FLOAT64);
            this.operator = operator;
            this.left = left;
            this.right = right;
        }

        @Override
        Column column(EvaluationRows rows) {
            if (right instanceof ConstantNode constant) {
                double y = ((Number) constant.present()).doubleValue();
                try (HeldColumn a = left.values(rows);
                        FixedOutput output = new FixedOutput(type(), rows)) {
                    MemorySegment in = ((FixedWidthColumn) a.column()).values();
                    for (long i = 0; i < rows.count(); i++) {
                        double result = operator.applyAsDouble(in.getAtIndex(JAVA_DOUBLE, i), y);
                        output.values().setAtIndex(JAVA_DOUBLE, i, result);
                    }
                    return output.build(BitWords.valid(a.column()));
                }
            }
            try (HeldColumn a = left.values(rows);
                    HeldColumn b = right.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                MemorySegment x = ((FixedWidthColumn) a.column()).values();
                MemorySegment y = ((FixedWidthColumn) b.column()).values();
                for (long i = 0; i < rows.count(); i++) {
                    double result = operator.applyAsDouble(x.getAtIndex(JAVA_DOUBLE, i), y.getAtIndex(JAVA_DOUBLE, i));
                    output.values().setAtIndex(JAVA_DOUBLE, i, result);
                }
                return output.build(BitWords.both(BitWords.valid(a.column()), BitWords.valid(b.column())));
            }
        }
    }

    /// Rounds to this many fractional digits, half away from zero; a number without such digits is unchanged.
    static double round(double x, double digits) {
        double unit = Math.pow(10, Math.abs(digits));
        double scaled = digits < 0 ? x / unit : x * unit;
        if (!Double.isFinite(scaled) || Math.abs(scaled) >= 0x1p52) {
            return digits < 0 && Double.isFinite(x) ? 0 : x;
        }
        double whole = Math.floor(Math.abs(scaled));
        double rounded = Math.copySign(Math.abs(scaled) - whole >= 0.5 ? whole + 1 : whole, x);
        return digits < 0 ? rounded * unit : rounded / unit;
    }

    /// The sign of int32 or int64. (The absolute value is the number times its sign, which detects the overflow.)
    static final class SignOf extends ExpressionNode {
        private final ExpressionNode input;

        SignOf(ExpressionNode input) {
            super(input.type());
            this.input = input;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                MemorySegment in = ((FixedWidthColumn) held.column()).values();
                MemorySegment out = output.values();
                if (PrimitiveStorage.of(type()) == PrimitiveStorage.LONG) {
                    for (long i = 0; i < rows.count(); i++) {
                        out.setAtIndex(JAVA_LONG, i, Long.signum(in.getAtIndex(JAVA_LONG, i)));
                    }
                } else {
                    for (long i = 0; i < rows.count(); i++) {
                        out.setAtIndex(JAVA_INT, i, Integer.signum(in.getAtIndex(JAVA_INT, i)));
                    }
                }
                return output.build(BitWords.valid(held.column()));
            }
        }
    }

    /// Whether a float passes a test.
    static final class FloatTest extends PredicateNode {
        private final DoublePredicate test;
        private final ExpressionNode input;

        FloatTest(DoublePredicate test, ExpressionNode input) {
            this.test = test;
            this.input = input;
        }

        @Override
        TruthBits truth(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows)) {
                MemorySegment in = ((FixedWidthColumn) held.column()).values();
                long[] bits = new long[BitWords.words(rows.count())];
                for (long i = 0; i < rows.count(); i++) {
                    if (test.test(in.getAtIndex(JAVA_DOUBLE, i))) {
                        BitWords.set(bits, i);
                    }
                }
                return TruthBits.of(bits, BitWords.valid(held.column()), rows.count());
            }
        }
    }
}
