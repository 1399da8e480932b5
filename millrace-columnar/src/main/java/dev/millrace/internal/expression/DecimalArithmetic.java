package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.ArithmeticOperator;
import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/// Exact arithmetic on decimals and on uint64 with Java's big numbers. A value that exceeds the digits of the result is
/// an error; one that exceeds its scale is rounded half up.
final class DecimalArithmetic {
    private DecimalArithmetic() {}

    static ExpressionNode bind(
            ArithmeticOperator operator,
            ExpressionNode left,
            ExpressionNode right,
            DataType.Decimal type,
            Expression origin) {
        return new RowwiseNode(type, List.of(left, right), true, (values, row) -> {
            BigDecimal x = decimal(values[0]);
            BigDecimal y = decimal(values[1]);
            BigDecimal exact = exact(operator, x, y, type.scale(), origin, row);
            BigDecimal result = exact.setScale(type.scale(), RoundingMode.HALF_UP);
            if (result.precision() > type.precision()) {
                throw NumericArithmetic.overflow(
                        origin, type, row, x + " " + operator.symbol() + " " + y + " is " + exact.toPlainString());
            }
            return result;
        });
    }

    static ExpressionNode unsigned(
            ArithmeticOperator operator, ExpressionNode left, ExpressionNode right, Expression origin) {
        return new RowwiseNode(DataType.UINT64, List.of(left, right), true, (values, row) -> {
            BigDecimal x = decimal(values[0]);
            BigDecimal y = decimal(values[1]);
            BigInteger result = exact(operator, x, y, 0, origin, row).toBigInteger();
            if (result.signum() < 0 || result.bitLength() > 64) {
                throw NumericArithmetic.overflow(
                        origin, DataType.UINT64, row, x + " " + operator.symbol() + " " + y + " is " + result);
            }
            return result;
        });
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

    private static BigDecimal decimal(Object value) {
        return switch (value) {
            case BigDecimal decimal -> decimal;
            case BigInteger big -> new BigDecimal(big);
            default -> BigDecimal.valueOf(((Number) value).longValue());
        };
    }
}
