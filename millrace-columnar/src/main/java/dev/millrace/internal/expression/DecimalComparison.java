package dev.millrace.internal.expression;

import dev.millrace.column.DecimalColumn;
import dev.millrace.expression.ComparisonOperator;
import java.math.BigDecimal;
import java.math.BigInteger;

/// Comparison of decimals: with equal scales by their 128-bit unscaled values, with different scales in 64 bits if that
/// suffices.
final class DecimalComparison {
    private static final long[] POWERS = new long[19];

    static {
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = POWERS[i - 1] * 10;
        }
    }

    private DecimalComparison() {}

    static long[] compare(ComparisonOperator operator, DecimalColumn a, DecimalColumn b) {
        boolean aligned = a.scale() == b.scale();
        long[] bits = new long[BitWords.words(a.length())];
        for (long row = 0; row < a.length(); row++) {
            int order =
                    aligned ? order(a.high(row), a.low(row), b.high(row), b.low(row)) : orderOfScales(a, row, b, row);
            if (holds(operator, order)) {
                BitWords.set(bits, row);
            }
        }
        return bits;
    }

    static long[] compare(ComparisonOperator operator, DecimalColumn a, BigDecimal value) {
        if (value.scale() > a.scale()) {
            return compareFiner(operator, a, value);
        }
        BigInteger unscaled = value.setScale(a.scale()).unscaledValue();
        if (unscaled.bitLength() > 127) {
            return compareFiner(operator, a, value);
        }
        long high = unscaled.shiftRight(64).longValue();
        long low = unscaled.longValue();
        long[] bits = new long[BitWords.words(a.length())];
        for (long row = 0; row < a.length(); row++) {
            if (holds(operator, order(a.high(row), a.low(row), high, low))) {
                BitWords.set(bits, row);
            }
        }
        return bits;
    }

    /// Compares with a value that the column's type cannot represent.
    private static long[] compareFiner(ComparisonOperator operator, DecimalColumn a, BigDecimal value) {
        long[] bits = new long[BitWords.words(a.length())];
        for (long row = 0; row < a.length(); row++) {
            if (!a.isNull(row) && holds(operator, decimal(a, row).compareTo(value))) {
                BitWords.set(bits, row);
            }
        }
        return bits;
    }

    private static int orderOfScales(DecimalColumn a, long rowA, DecimalColumn b, long rowB) {
        int finer = a.scale() - b.scale();
        if (Math.abs(finer) < POWERS.length && isLong(a, rowA) && isLong(b, rowB)) {
            long x = a.low(rowA);
            long y = b.low(rowB);
            long factor = POWERS[Math.abs(finer)];
            long scaled = (finer < 0 ? x : y) * factor;
            if (Math.multiplyHigh(finer < 0 ? x : y, factor) == scaled >> 63) {
                return finer < 0 ? Long.compare(scaled, y) : Long.compare(x, scaled);
            }
        }
        return decimal(a, rowA).compareTo(decimal(b, rowB));
    }

    private static boolean isLong(DecimalColumn column, long row) {
        return column.high(row) == column.low(row) >> 63;
    }

    private static BigDecimal decimal(DecimalColumn column, long row) {
        BigInteger unscaled = BigInteger.valueOf(column.high(row))
                .shiftLeft(64)
                .add(new BigInteger(Long.toUnsignedString(column.low(row))));
        return new BigDecimal(unscaled, column.scale());
    }

    private static int order(long highA, long lowA, long highB, long lowB) {
        return highA != highB ? Long.compare(highA, highB) : Long.compareUnsigned(lowA, lowB);
    }

    /// Whether an order (negative, zero, positive) satisfies the operator.
    static boolean holds(ComparisonOperator operator, int order) {
        return switch (operator) {
            case EQUAL, EQUAL_NULL_SAFE -> order == 0;
            case NOT_EQUAL -> order != 0;
            case LESS -> order < 0;
            case LESS_OR_EQUAL -> order <= 0;
            case GREATER -> order > 0;
            case GREATER_OR_EQUAL -> order >= 0;
        };
    }
}
