package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ArithmeticOperator;
import dev.millrace.expression.Expression;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Exact arithmetic on decimals. A value that exceeds the digits of the result is an error; one that exceeds its scale
/// is rounded half up.
///
/// Stretches of rows whose values are longs are computed in longs (products in 128 bits); a stretch in which one is
/// not, or overflows, with Java's big numbers. So is all arithmetic on uint64.
final class DecimalArithmetic extends ExpressionNode {
    private final ArithmeticOperator operator;
    private final ExpressionNode left;
    private final ExpressionNode right;
    private final DataType.Decimal result;
    private final Expression origin;

    private DecimalArithmetic(
            ArithmeticOperator operator,
            ExpressionNode left,
            ExpressionNode right,
            DataType.Decimal result,
            Expression origin) {
        super(result);
        this.operator = operator;
        this.left = left;
        this.right = right;
        this.result = result;
        this.origin = origin;
    }

    static ExpressionNode bind(
            ArithmeticOperator operator,
            ExpressionNode left,
            ExpressionNode right,
            DataType.Decimal type,
            Expression origin) {
        return new DecimalArithmetic(operator, left, right, type, origin);
    }

    static ExpressionNode unsigned(
            ArithmeticOperator operator, ExpressionNode left, ExpressionNode right, Expression origin) {
        return new RowwiseNode(DataType.UINT64, List.of(left, right), true, (values, row) -> {
            BigDecimal x = DecimalOperand.decimal(values[0]);
            BigDecimal y = DecimalOperand.decimal(values[1]);
            BigInteger value = exact(operator, x, y, 0, origin, row).toBigInteger();
            if (value.signum() < 0 || value.bitLength() > 64) {
                throw NumericArithmetic.overflow(
                        origin, DataType.UINT64, row, x + " " + operator.symbol() + " " + y + " is " + value);
            }
            return value;
        });
    }

    @Override
    Column column(EvaluationRows rows) {
        try (DecimalOperand a = DecimalOperand.of(left, rows);
                DecimalOperand b = DecimalOperand.of(right, rows);
                FixedOutput output = new FixedOutput(type(), rows)) {
            long[] valid = BitWords.both(a.valid(), b.valid());
            MemorySegment out = output.values();
            TaskCancellation running = TaskCancellation.ofThread();
            for (long from = 0; from < rows.count(); from += DecimalOperand.CHUNK) {
                running.check();
                int count = (int) Math.min(DecimalOperand.CHUNK, rows.count() - from);
                if (!a.read(from, count) || !b.read(from, count) || !inLongs(a, b, out, from, count)) {
                    oneByOne(a, b, out, from, count, valid, rows);
                }
            }
            return output.build(valid);
        }
    }

    /// Computes a stretch of values that are longs.
    ///
    /// @return false if one of them needs more than that, or is an error
    private boolean inLongs(DecimalOperand a, DecimalOperand b, MemorySegment out, long from, int count) {
        int common = Math.max(a.scale(), b.scale());
        int scale = result.scale();
        return switch (operator) {
            case MULTIPLY ->
                // The digits of both operands are checked; products of longs are below 10^38.
                scale == a.scale() + b.scale() && multiply(a.words, b.words, out, from, count);
            case ADD -> scale == common && align(a, b, common, count) && add(a.words, b.words, out, from, count);
            case SUBTRACT ->
                scale == common && align(a, b, common, count) && subtract(a.words, b.words, out, from, count);
            case DIVIDE -> {
                int shift = scale - a.scale() + b.scale();
                yield DecimalOperand.isPower(shift)
                        && scale(a.words, count, DecimalOperand.power(shift))
                        && divide(a.words, b.words, out, from, count, true);
            }
            case INT_DIVIDE ->
                scale == 0 && align(a, b, common, count) && divide(a.words, b.words, out, from, count, false);
            case MODULO ->
                scale == common && align(a, b, common, count) && remainder(a.words, b.words, out, from, count);
        };
    }

    /// Gives the values that were read of both operands the same scale.
    private static boolean align(DecimalOperand a, DecimalOperand b, int scale, int count) {
        int shiftA = scale - a.scale();
        int shiftB = scale - b.scale();
        return DecimalOperand.isPower(shiftA)
                && DecimalOperand.isPower(shiftB)
                && scale(a.words, count, DecimalOperand.power(shiftA))
                && scale(b.words, count, DecimalOperand.power(shiftB));
    }

    private static boolean scale(long[] words, int count, long factor) {
        if (factor == 1) {
            return true;
        }
        long wrong = 0;
        for (int i = 0; i < count; i++) {
            long x = words[i];
            long scaled = x * factor;
            wrong |= Math.multiplyHigh(x, factor) ^ scaled >> Long.SIZE - 1;
            words[i] = scaled;
        }
        return wrong == 0;
    }

    private static boolean multiply(long[] a, long[] b, MemorySegment out, long from, int count) {
        for (int i = 0; i < count; i++) {
            out.setAtIndex(JAVA_LONG, 2 * (from + i), a[i] * b[i]);
            out.setAtIndex(JAVA_LONG, 2 * (from + i) + 1, Math.multiplyHigh(a[i], b[i]));
        }
        return true;
    }

    private static boolean add(long[] a, long[] b, MemorySegment out, long from, int count) {
        long wrong = 0;
        for (int i = 0; i < count; i++) {
            long sum = a[i] + b[i];
            wrong |= (a[i] ^ sum) & (b[i] ^ sum);
            put(out, from + i, sum);
        }
        return wrong >= 0;
    }

    private static boolean subtract(long[] a, long[] b, MemorySegment out, long from, int count) {
        long wrong = 0;
        for (int i = 0; i < count; i++) {
            long difference = a[i] - b[i];
            wrong |= (a[i] ^ b[i]) & (a[i] ^ difference);
            put(out, from + i, difference);
        }
        return wrong >= 0;
    }

    /// @param rounds half up; else towards zero
    private boolean divide(long[] a, long[] b, MemorySegment out, long from, int count, boolean rounds) {
        long most = DecimalOperand.mostOf(result.precision());
        for (int i = 0; i < count; i++) {
            long x = a[i];
            long y = b[i];
            if (y == 0) {
                return false;
            }
            long quotient = x / y;
            long rest = Math.abs(x % y);
            if (rounds && rest >= Math.abs(y) - rest) {
                quotient += (x ^ y) < 0 ? -1 : 1;
            }
            if (quotient > most || quotient < -most) {
                return false;
            }
            put(out, from + i, quotient);
        }
        return true;
    }

    private static boolean remainder(long[] a, long[] b, MemorySegment out, long from, int count) {
        for (int i = 0; i < count; i++) {
            if (b[i] == 0) {
                return false;
            }
            put(out, from + i, a[i] % b[i]);
        }
        return true;
    }

    private static void put(MemorySegment out, long row, long value) {
        out.setAtIndex(JAVA_LONG, 2 * row, value);
        out.setAtIndex(JAVA_LONG, 2 * row + 1, value >> Long.SIZE - 1);
    }

    private void oneByOne(
            DecimalOperand a,
            DecimalOperand b,
            MemorySegment out,
            long from,
            int count,
            long @Nullable [] valid,
            EvaluationRows rows) {
        for (long row = from; row < from + count; row++) {
            boolean computed = rows.isActive(row) && (valid == null || BitWords.get(valid, row));
            DecimalOperand.put(out, row, computed ? exact(a.exact(row), b.exact(row), row) : BigInteger.ZERO);
        }
    }

    private BigInteger exact(BigDecimal x, BigDecimal y, long row) {
        BigDecimal exact = exact(operator, x, y, result.scale(), origin, row);
        BigDecimal rounded = exact.setScale(result.scale(), RoundingMode.HALF_UP);
        if (rounded.precision() > result.precision()) {
            throw NumericArithmetic.overflow(
                    origin, result, row, x + " " + operator.symbol() + " " + y + " is " + exact.toPlainString());
        }
        return rounded.unscaledValue();
    }

    /// @param scale of a quotient
    private static BigDecimal exact(
            ArithmeticOperator operator, BigDecimal x, BigDecimal y, int scale, Expression origin, long row) {
        return switch (operator) {
            case ADD -> x.add(y);
            case SUBTRACT -> x.subtract(y);
            case MULTIPLY -> x.multiply(y);
            case DIVIDE, INT_DIVIDE, MODULO -> {
                if (y.signum() == 0) {
                    throw MillraceException.data(origin + " divides " + x + " by zero in row " + row
                            + " of the block. Guard it with when(...).");
                }
                yield switch (operator) {
                    case DIVIDE -> x.divide(y, scale, RoundingMode.HALF_UP);
                    case INT_DIVIDE -> x.divideToIntegralValue(y);
                    default -> x.remainder(y);
                };
            }
        };
    }
}
