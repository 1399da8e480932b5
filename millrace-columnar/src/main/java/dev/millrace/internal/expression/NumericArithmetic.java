package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ArithmeticOperator;
import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// An arithmetic operator over operands with the same storage: int32, int64 (and types stored as such), float32,
/// float64. Narrower and unsigned types are bound as one of these, with a checked conversion of the result.
final class NumericArithmetic extends ExpressionNode {
    private final ArithmeticOperator operator;
    private final ExpressionNode left;
    private final ExpressionNode right;
    private final Expression origin;
    /// A quotient of integers, computed in floats: the divisor must not be zero.
    private final boolean isRatio;

    NumericArithmetic(
            DataType type, ArithmeticOperator operator, ExpressionNode left, ExpressionNode right, Expression origin) {
        this(type, operator, left, right, origin, false);
    }

    /// The quotient of two integers that were cast to float64.
    static NumericArithmetic ratio(ExpressionNode left, ExpressionNode right, Expression origin) {
        return new NumericArithmetic(DataType.FLOAT64, ArithmeticOperator.DIVIDE, left, right, origin, true);
    }

    private NumericArithmetic(
            DataType type,
            ArithmeticOperator operator,
            ExpressionNode left,
            ExpressionNode right,
            Expression origin,
            boolean isRatio) {
        super(type);
        this.isRatio = isRatio;
        this.operator = operator;
        this.left = left;
        this.right = right;
        this.origin = origin;
    }

    @Override
    Column column(EvaluationRows rows) {
        if (right instanceof ConstantNode constant) {
            try (HeldColumn a = left.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                boolean bad = withConstant(a, (Number) stored(constant), output.values(), rows.count());
                bad |= isRatio && ((Number) constant.present()).doubleValue() == 0;
                return finish(rows, output, bad, a.column(), null);
            }
        }
        boolean commutes = operator == ArithmeticOperator.ADD || operator == ArithmeticOperator.MULTIPLY;
        if (left instanceof ConstantNode constant && (commutes || isReversible())) {
            try (HeldColumn b = right.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                Number value = (Number) stored(constant);
                boolean bad = commutes
                        ? withConstant(b, value, output.values(), rows.count())
                        : reversed(b, value, output.values(), rows.count());
                bad |= isRatio && hasZero(values(b), rows.count());
                return finish(rows, output, bad, null, b.column());
            }
        }
        try (HeldColumn a = left.values(rows);
                HeldColumn b = right.values(rows);
                FixedOutput output = new FixedOutput(type(), rows)) {
            boolean bad = both(values(a), values(b), output.values(), rows.count());
            bad |= isRatio && hasZero(values(b), rows.count());
            return finish(rows, output, bad, a.column(), b.column());
        }
    }

    private boolean isReversible() {
        return operator == ArithmeticOperator.SUBTRACT
                || operator == ArithmeticOperator.DIVIDE && type() instanceof DataType.Float;
    }

    private static boolean hasZero(MemorySegment divisors, long rows) {
        boolean found = false;
        for (long i = 0; i < rows; i++) {
            found |= divisors.getAtIndex(JAVA_DOUBLE, i) == 0;
        }
        return found;
    }

    private static MemorySegment values(HeldColumn held) {
        return ((FixedWidthColumn) held.column()).values();
    }

    /// A constant in its stored form: the count of a time or duration, else the number.
    private static Object stored(ConstantNode constant) {
        return StoredValues.of(constant.type(), constant.present());
    }

    private boolean both(MemorySegment a, MemorySegment b, MemorySegment out, long rows) {
        if (type() instanceof DataType.Float real) {
            if (real.bits() == 64) {
                DoubleArithmetic.apply(operator, a, b, out, rows);
            } else {
                FloatArithmetic.apply(operator, a, b, out, rows);
            }
            return false;
        }
        return FixedOutput.width(type()) == 8
                ? LongArithmetic.apply(operator, a, b, out, rows)
                : IntArithmetic.apply(operator, a, b, out, rows);
    }

    private boolean withConstant(HeldColumn held, Number y, MemorySegment out, long rows) {
        MemorySegment a = values(held);
        if (type() instanceof DataType.Float real) {
            if (real.bits() == 64) {
                DoubleArithmetic.apply(operator, a, y.doubleValue(), out, rows);
            } else {
                FloatArithmetic.apply(operator, a, y.floatValue(), out, rows);
            }
            return false;
        }
        return FixedOutput.width(type()) == 8
                ? LongArithmetic.apply(operator, a, y.longValue(), out, rows)
                : IntArithmetic.apply(operator, a, y.intValue(), out, rows);
    }

    private boolean reversed(HeldColumn held, Number y, MemorySegment out, long rows) {
        MemorySegment a = values(held);
        boolean subtract = operator == ArithmeticOperator.SUBTRACT;
        if (type() instanceof DataType.Float real) {
            if (real.bits() == 64 && subtract) {
                DoubleArithmetic.subtractFrom(a, y.doubleValue(), out, rows);
            } else if (real.bits() == 64) {
                DoubleArithmetic.divideInto(a, y.doubleValue(), out, rows);
            } else if (subtract) {
                FloatArithmetic.subtractFrom(a, y.floatValue(), out, rows);
            } else {
                FloatArithmetic.divideInto(a, y.floatValue(), out, rows);
            }
            return false;
        }
        return FixedOutput.width(type()) == 8
                ? LongArithmetic.subtractFrom(a, y.longValue(), out, rows)
                : IntArithmetic.subtractFrom(a, y.intValue(), out, rows);
    }

    private Column finish(
            EvaluationRows rows, FixedOutput output, boolean bad, @Nullable Column a, @Nullable Column b) {
        long[] valid = BitWords.both(a == null ? null : BitWords.valid(a), b == null ? null : BitWords.valid(b));
        if (bad) {
            for (long row = 0; row < rows.count(); row++) {
                if (rows.isActive(row) && (valid == null || BitWords.get(valid, row))) {
                    checkExact(row, exact(left, a, row), exact(right, b, row));
                }
            }
        }
        return output.build(valid);
    }

    private static BigInteger exact(ExpressionNode node, @Nullable Column column, long row) {
        Object stored = node instanceof ConstantNode constant
                ? stored(constant)
                : StoredValues.at((FixedWidthColumn) requireNonNull(column, "only constants have no column"), row);
        return BigInteger.valueOf(((Number) stored).longValue());
    }

    private void checkExact(long row, BigInteger x, BigInteger y) {
        boolean divides = isRatio || operator == ArithmeticOperator.INT_DIVIDE || operator == ArithmeticOperator.MODULO;
        if (divides && y.signum() == 0) {
            throw MillraceException.data(
                    origin + " divides " + x + " by zero in row " + row
                            + " of the block. Guard it with when(...), or cast to float64 first, which knows infinity and NaN.");
        }
        if (isRatio) {
            return;
        }
        BigInteger exact = switch (operator) {
            case ADD -> x.add(y);
            case SUBTRACT -> x.subtract(y);
            case MULTIPLY -> x.multiply(y);
            case INT_DIVIDE -> x.divide(y);
            case MODULO -> BigInteger.ZERO;
            case DIVIDE -> throw new IllegalArgumentException("exact division does not overflow");
        };
        if (exact.bitLength() >= 8 * FixedOutput.width(type())) {
            throw overflow(origin, type(), row, x + " " + operator.symbol() + " " + y + " is " + exact);
        }
    }

    /// The error for a result that its type cannot represent.
    static MillraceException overflow(Expression origin, DataType type, long row, String what) {
        return MillraceException.data(origin + " overflows " + type + ": " + what + ", in row " + row
                + " of the block. Cast the operands to a wider type first.");
    }

    /// The error for a wider result that does not fit back into `type`.
    static ValueMisfit narrowed(Expression origin, DataType type) {
        return (row, value) -> overflow(
                origin,
                type,
                row,
                "a result is " + (value instanceof BigDecimal decimal ? decimal.toPlainString() : value));
    }
}
