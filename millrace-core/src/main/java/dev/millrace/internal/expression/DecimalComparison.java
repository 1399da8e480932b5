package dev.millrace.internal.expression;

import dev.millrace.column.DecimalColumn;
import dev.millrace.expression.ComparisonOperator;
import java.math.BigDecimal;
import java.math.BigInteger;

/// Comparison of decimals of one scale by their 128-bit unscaled values.
final class DecimalComparison {
    private DecimalComparison() {}

    static long[] compare(ComparisonOperator operator, DecimalColumn a, DecimalColumn b) {
        long[] bits = new long[BitWords.words(a.length())];
        for (long row = 0; row < a.length(); row++) {
            int order = order(a.high(row), a.low(row), b.high(row), b.low(row));
            if (holds(operator, order)) {
                BitWords.set(bits, row);
            }
        }
        return bits;
    }

    static long[] compare(ComparisonOperator operator, DecimalColumn a, BigDecimal value) {
        BigInteger unscaled = value.setScale(a.scale()).unscaledValue();
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

    private static int order(long highA, long lowA, long highB, long lowB) {
        return highA != highB ? Long.compare(highA, highB) : Long.compareUnsigned(lowA, lowB);
    }

    /// Whether an order (negative, zero, positive) is what the operator asks for.
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
